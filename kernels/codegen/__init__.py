"""The text of programs → LLVM's language → object code. Imported when something is compiled."""
