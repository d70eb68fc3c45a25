"""Boards as markup, for the API, the admin, previews of files and all pages.

symbols         calls, cards and contracts, with suit symbols
html_diagrams   the four hands as a part of a page
svg_diagrams    the four hands as a picture
suit_colours    the colours of the suits, for pictures
mini_hands      the four hands as a text of 120 × 90 px
"""
