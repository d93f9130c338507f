"""Programs on CUDA: one program is one kernel, its loops included."""
