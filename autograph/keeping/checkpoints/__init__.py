"""Checkpoints: the state of named objects, kept on disk, matched with objects, and put back."""
