"""Lists of boards as programs get them: GET /api/boards in pages and as a stream, published boards and drafts.

answers          a page of them, with its Link header
streaming        all of them, one a line
public_reads     what anybody may read, which is answered in front of Django
"""
