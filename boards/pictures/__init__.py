"""The picture of a board, which other sites show of a link to it.

texts       what it says
drawing     draws that with Pillow, which nothing else imports
serving     GET /boards/{id}.png, and the few pictures that are kept
"""
