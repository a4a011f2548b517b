"""Who says whether a text answers a question; `choose_entailer` knows them by name."""
