"""Tests of the witness, with the standard library alone: `python3 -m unittest` in the directory above."""
