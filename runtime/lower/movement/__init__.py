"""Ops that move elements: views where memory allows it, copies where it does not."""
