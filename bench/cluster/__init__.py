"""`python3 dev.py cluster`: a service of several machines, on one machine, whose parts fail one after the other."""
