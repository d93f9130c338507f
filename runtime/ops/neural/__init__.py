"""Ops of neural networks: softmax and kin, convolution, pooling."""
