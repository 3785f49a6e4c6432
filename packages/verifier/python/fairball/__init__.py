"""Verifies draws of Fairball (protocol version 2, fairness-v2.md) with nothing but Python's standard library."""
