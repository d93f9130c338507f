"""Check mode: every call beside the eager original, and the first difference named."""
