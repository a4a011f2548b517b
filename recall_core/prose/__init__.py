"""What body text suggests: code masked, sentences cut, closure words and the memos named beside them."""
