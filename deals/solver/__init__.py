"""Compute double dummy and par for every deal, in a process of its own.

    run_worker ── worker ── jobs      the list of work: deals that are `pending`, claimed under a lease
                        └── process   starts, watches and kills one child
                              ┆ JSON lines
                            child ── dds ── endplay

Only the child imports `dds`, and only `dds` imports endplay, which needs 100 MB and can crash its process.
"""
