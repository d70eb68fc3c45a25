"""What the database stores of boards. The rooms of boards/ stand above it: none of them is imported here.

board       a deal with its dealer, vulnerability, auction, contract, play and texts
analysis    what the solver says of a board's cards
names       what a board is called, so that boards of the same number are told apart
days        the hands of the day
catalogue   what readers get of published boards; the name, date and site behind the slug of an event
collections boards that a member puts in an order
classes     how often a class that works through a collection gave which answer
practice    how often readers gave which answer
index       numbers, which sort boards and stand for them in the index (search)
rankings    the rankings that files give of events
reviews     drafts that members ask staff to publish, and changes of published boards
uploads     files between their preview and their import

boards.querysets has the vocabulary of their queries.
"""

from boards.models.analysis import CardCosts, PlayAnalysis
from boards.models.board import (
    MAX_BOARD_NUMBER,
    PUBLICATION,
    SEAT_CHOICES,
    VULNERABILITY_CHOICES,
    Board,
    parse_stored_contract,
)
from boards.models.catalogue import Event, EventDeal, PublishedBoard
from boards.models.classes import ClassAnswer, LessonClass
from boards.models.collections import MAX_BOARDS, MAX_COLLECTIONS, Collection, CollectionBoard
from boards.models.days import BoardOfTheDay
from boards.models.index import LAST_NUMBER, take_numbers
from boards.models.practice import PracticeAnswer
from boards.models.rankings import EventRanking, leave_events
from boards.models.reviews import PublicationReview
from boards.models.uploads import Upload

__all__ = [
    "LAST_NUMBER",
    "MAX_BOARDS",
    "MAX_BOARD_NUMBER",
    "MAX_COLLECTIONS",
    "PUBLICATION",
    "SEAT_CHOICES",
    "VULNERABILITY_CHOICES",
    "Board",
    "BoardOfTheDay",
    "CardCosts",
    "ClassAnswer",
    "Collection",
    "CollectionBoard",
    "Event",
    "EventDeal",
    "EventRanking",
    "LessonClass",
    "PlayAnalysis",
    "PracticeAnswer",
    "PublicationReview",
    "PublishedBoard",
    "Upload",
    "leave_events",
    "parse_stored_contract",
    "take_numbers",
]
