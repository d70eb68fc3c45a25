"""Boards on other sites, in feed readers and in search engines.

sharing           the addresses that a board's page offers
embed             a board in a frame, and oEmbed; no other page may be framed
pictures          GET /boards/{id}.png, what it says, and the few pictures that are kept
picture_drawing   draws that with Pillow, which nothing else imports
today             the board of the day: page, feed and frame
feed              new boards for feed readers
sitemaps          addresses for search engines
"""
