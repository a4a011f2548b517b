"""What a generation is: its states, the pipeline behind it, the corpus it holds, and how memos become chunks."""
