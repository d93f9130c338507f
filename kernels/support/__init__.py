"""Native functions that programs call: frames, lists, memory, threads and clocks."""
