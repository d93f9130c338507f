"""The higher-order ops: cond, while_loop, call, and raise, with the functions that build them."""
