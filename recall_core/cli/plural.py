"""Numbers of things, in words."""


def count(number: int, what: str) -> str:
    """`1 memo`, `2 memos`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
