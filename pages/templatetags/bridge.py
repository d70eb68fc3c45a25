"""Template filters for calls, cards and contracts, each with the name of its function, and for whole boards."""

from django import template

from boards.drawing import symbols
from boards.records import facts_of
from bridge.formats.handviewer import write_handviewer
from bridge.formats.plain_text import write_plain_text
from bridge.names import format_score

register = template.Library()
register.filter("call", symbols.call)
register.filter("card", symbols.card)
register.filter("explanation", symbols.explanation)
register.filter("par_contract", symbols.par_contract)
register.filter("side_score", format_score)
register.filter("facts", facts_of)
register.filter("plain_text", write_plain_text)
register.filter("hand_viewer", write_handviewer)
