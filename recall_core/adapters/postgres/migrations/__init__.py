"""The numbered migrations. They are data: this package only makes them importable as resources."""
