"""Tests of the module. They run the real program: `python -m unittest` in the folder above."""
