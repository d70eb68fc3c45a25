"""How explanations name the suits."""

NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
