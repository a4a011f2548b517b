"""Scripts that run as processes of their own, in the measured environment. They import nothing of this package."""
