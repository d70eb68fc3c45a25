"""What all pages for people need.

base          the base views, for everybody and for members, and lists by page
two_windows   forms of what is stored, which two windows may have open at once
feeds         Atom feeds of texts that anybody may have written
guides        the guides to the API, their pages, and llms.txt
"""
