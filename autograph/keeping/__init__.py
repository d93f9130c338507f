"""Keeping on disk: checkpoints of state, and functions that load without the user's code.

Both are folders of safetensors files and one JSON file that names them, replaced as a whole.
"""
