"""A decorated call: which trace fits it, how a new one is made, how it runs, what it leaves."""
