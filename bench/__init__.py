"""Benchmarks: ratios taken in one run, because absolute times on a shared machine mean little."""
