"""Lists, dicts, sets and deques whose contents or lengths are staged."""
