"""What stands for Python values in a trace: marks, choices, skeletons, references."""
