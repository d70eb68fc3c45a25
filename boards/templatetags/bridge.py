"""Template filters for calls, cards, contracts and texts, each with the name of its function."""

from django import template

from boards.drawing import symbols
from deals.bridge.markup import for_people

register = template.Library()
register.filter("call", symbols.call)
register.filter("card", symbols.card)
register.filter("contract", symbols.contract)
register.filter("denomination", symbols.denomination)
register.filter("explanation", symbols.explanation)
register.filter("for_people", for_people)
register.filter("par_contract", symbols.par_contract)
register.filter("result", symbols.result)
register.filter("signed", symbols.signed)
