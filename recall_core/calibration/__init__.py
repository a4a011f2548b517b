"""From labelled queries and their scores to a threshold, a certificate, and the artifact that carries both."""
