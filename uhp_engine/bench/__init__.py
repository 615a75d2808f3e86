"""Measuring: fixed positions, a signature, kernels in loops, memory. Only `bench` uses it."""
