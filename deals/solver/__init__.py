"""Compute what all cards being open would make of a deal or a play, in a process of its own.

    run_worker ── worker ── queues    the lists of work: rows that are `pending`, claimed under a lease; apps add theirs
                        └── process   starts, watches and kills one child
                              ┆ JSON lines
                            child ── dds      answers in their stored forms
                                      └── library   DDS, a C++ library, called through ctypes

Only the child imports `dds`, since DDS can crash its process.
"""
