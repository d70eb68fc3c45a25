"""The commands of dev.py, one module each. They need nothing but Python's standard library."""
