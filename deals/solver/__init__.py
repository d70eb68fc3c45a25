"""Compute double dummy and par for every deal, in a process of its own.

    run_worker ── worker ── jobs      the list of work: deals that are `pending`, claimed under a lease
                        └── process   starts, watches and kills one child
                              ┆ JSON lines
                            child ── dds      tables and par in their stored forms
                                      └── library   DDS, a C++ library, called through ctypes

Only the child imports `dds`, since DDS can crash its process.
"""
