"""Template filters for calls, cards and contracts, each with the name of its function (boards.drawing.symbols)."""

from django import template

from boards.drawing import symbols

register = template.Library()
register.filter("call", symbols.call)
register.filter("card", symbols.card)
register.filter("contract", symbols.contract)
register.filter("denomination", symbols.denomination)
register.filter("explanation", symbols.explanation)
register.filter("par_contract", symbols.par_contract)
register.filter("result", symbols.result)
register.filter("signed", symbols.signed)
