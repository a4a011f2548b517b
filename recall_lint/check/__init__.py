"""What `recall check` asks and `recall fix` proposes: what prose tells, beside what is declared or declined."""
