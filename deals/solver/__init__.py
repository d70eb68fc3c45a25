"""Double dummy and par for every deal, computed in a process of its own.

    run_worker ── worker ── jobs      the work list: deals that are `pending`, claimed under a lease
                        └── process   one child, started, watched and killed
                              ┆ JSON lines
                            child ── dds ── endplay

Only the child imports `dds`, and only `dds` imports endplay: it needs 100 MB and crashes its process.
"""
