"""What a backward graph keeps of the forward one, and what it computes again."""
