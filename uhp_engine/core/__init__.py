"""The rules of Hive as numba kernels: the only place that knows how a position is laid out."""
