"""`python3 dev.py bench`: the service under load, beside the least that its answers can cost.

docs/performance.md says what is measured and how to read the tables.
"""
