"""What is known about a function's tree: names, exits, assignment, liveness.

Answers are side tables keyed by the identity of nodes (`tables`); nodes themselves carry nothing.
"""
