"""What players type, "5-5 majors" or "3NT going down", as texts of the search language.

en/         the phrases of players who write English, each declared once, and the words that they are made of
phrasebook  reads these files
words       a text as words: small letters, no accents, "♠" spelt out
slots       what is in braces in a pattern: numbers, suits, seats, bids, cards, days
patterns    which words a phrase is written with, and the longest phrase that begins at a word; one slip a word
names       the names of themes, of their types and of auction systems in all languages, as phrases too
reading     a text's words to its parts
parts       what the words mean piece by piece, and the query that they make together
"""
