"""The formats of bridge files: reading them, and writing some of them.

- files: reading a file of any format, by a table of them
- pbn/, lin/, usebio/, rbn, dealing_machines, handviewer, plain_text: a reader for each format, and writers of some
- archives: a ZIP of files; foreign_files: what a file looks like that has none of the formats
- raw_records: from bytes to records, for all readers; guard: reading these one by one; outcomes: what comes of each
- rankings: the ranking that a file gives of its event
- repairs: what readers do with a record that contradicts itself
"""
