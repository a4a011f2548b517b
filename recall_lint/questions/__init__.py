"""What the prose of a corpus tells, and which of it nobody has answered: the questions of RL301 and `recall check`."""
