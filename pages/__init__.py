"""Every page for people, by what they do there. All of them work without JavaScript.

site          what all pages share: the base view, the guides to the API, feeds, fields of forms
presenters    what the templates show of a board, of its play and of its steps
drawing       parts of pages that are written in Python
search        the list of boards: its forms, and how many boards have what
evenings      events, matches of teams, sheets of results, and their frames
boards        the front page, a board, voting, themes, hand records
practice      boards to play through, and questions about them
collections   collections of boards, such as the boards of a lesson
sharing       what others show: frames, oEmbed, pictures, feeds, the hand of the day, sitemaps
members       the account and its devices, signing in, own boards; staff who look as a member
forms         what visitors send

static/ has the stylesheets, templatetags/ offers `drawing` to the templates, and templates/ stands at the top.
"""
