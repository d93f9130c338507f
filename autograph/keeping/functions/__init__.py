"""Saved functions: traces as text with their Variables, and what runs them without their source."""
