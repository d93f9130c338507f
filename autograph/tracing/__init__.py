"""One trace of a staged call: what it reads and writes, where, and how that is rolled back."""
