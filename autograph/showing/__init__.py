"""What a function becomes, to be looked at: texts that know the user's lines, drawings, a page."""
