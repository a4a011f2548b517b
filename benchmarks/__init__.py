"""The measurements behind the numbers that recall promises: `python -m benchmarks --help`."""
