"""`python3 dev.py soak`: mixed traffic on the whole service for a long time. docs/reliability/soak.md"""
