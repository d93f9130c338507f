"""What a trace remembers of Python's state: reads, writes, regions, roll-back and merges."""
