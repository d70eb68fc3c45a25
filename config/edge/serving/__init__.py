"""The WSGI application. A plain public read is answered in front of Django (decisions 14 and 16).

wsgi               the entry point: Django, with PublicReads before it
public_reads       which reads are plain, and what answers them
cached_responses   responses that are sent again until anything is committed
answers            a whole answer, in parts that others of its kind share and parts that are its own
"""
