"""What is done to boards, each with all that belongs to it in one transaction.

boards         publish a board of a deal, and change one
bulk           the same change of many boards
reviews        drafts that wait for staff
ownership      what members do with their own boards
days           the board of the day
fingerprints   which boards are equal
"""
