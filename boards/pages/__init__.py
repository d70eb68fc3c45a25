"""Pages for people. They work without JavaScript.

views          the front page, the list of boards, and the page of a board with its steps
presenters     what the templates show of a board
playing        what they show of its play
stepping       the addresses of its steps
themes         the pages of themes
hand_records   sheets for paper
feed           new boards for feed readers
sitemaps       addresses for search engines

Rooms: finding, evenings, practice, and travel for what stands on other sites.
"""
