"""Programs over buffers, and the machine code made of them. Knows no tensor and no graph."""
