"""Scripts that run as processes of their own, in the environment that is measured. They import nothing of this package."""
