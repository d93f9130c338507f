"""Where values live while a program runs, and how they come to be there."""
