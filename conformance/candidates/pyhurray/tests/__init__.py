"""Tests of the adapter: `python -m unittest` in the folder above, with the package or without."""
