"""Tapes: what they record, what they are asked for, and the way back over eager records."""
