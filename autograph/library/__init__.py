"""What functions and methods of Python do, as plain Python: converted like the user's own code.

The operators call these where a staged value takes part, so that whatever can be staged in the
user's code can be staged in them. Nothing here knows of staging.
"""
