"""What players type, "5-5 majors" or "3NT going down", as texts of the search language.

words      a text as words: small letters, no accents, "♠" spelt out, and which words say nothing
slots      what stands in braces in a pattern: numbers, suits, seats, bids, cards, days
patterns   which words a phrase is written with, and the longest phrase that begins at a word; one slip a word
table/     the phrases, each declared once: its words, its query, what that means, an example
names      the names of themes, of their types and of auction systems in all languages, as phrases too
reading    a text's words to its parts
parts      what the words mean piece by piece, and the query that they make together
"""
