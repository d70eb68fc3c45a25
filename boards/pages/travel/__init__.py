"""Boards on other sites: frames, oEmbed and addresses to share, and the board of the day.

embed     a board in a frame; no other page may be framed
oembed    the frame of a board by its address
sharing   the addresses that a board's page offers
today     the board of the day: page, feed and frame
"""
