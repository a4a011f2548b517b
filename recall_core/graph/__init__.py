"""Which memo replaced which: keys, edges, terminals and verdicts. Iterative throughout; a chain has no depth limit."""
