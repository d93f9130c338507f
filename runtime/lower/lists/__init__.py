"""Lists in programs: buffers that grow."""
