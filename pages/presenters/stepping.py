"""What a board's page may be asked to show, and stepping through a board by links."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from rest_framework import serializers

from bridge.names import SEAT_KEYS
from config.api.fields import ChoiceField
from config.api.serializers import QuerySerializer

# No auction has more than 319 calls, and no play more than 52 cards. ASCII digits only.
STEP = re.compile(r"[0-9]{1,3}")
LAST_STEP = 999
END = "end"
"""The last step, whatever its number is: an address that names it tells how long the auction is."""


class StepField(serializers.IntegerField):
    """A query parameter that is the number of a step, from 0 on, or END. A number past the end is the last step."""

    default_error_messages = {"invalid": "Give a whole number in plain digits, from 0 to 999, or end."}

    def to_internal_value(self, data: Any) -> int:
        if data == END:
            return LAST_STEP
        if not STEP.fullmatch(data):
            self.fail("invalid")
        return int(data)


COSTS_SHOWN = "shown"
"""The value of `costs` with which the steps show what each card costs that may be played."""


class BoardPageQuery(QuerySerializer):
    show = serializers.CharField(required=False, allow_blank=True)
    step = StepField(required=False)
    costs = ChoiceField(choices=[COSTS_SHOWN], required=False, allow_blank=True)

    def validate_show(self, value: str) -> tuple[str, ...]:
        """Return the named seats, clockwise from North, or () when all are named."""
        seats = [seat for seat in value.split(",") if seat]
        if not set(seats) <= set(SEAT_KEYS):
            raise serializers.ValidationError("Name the hands by their seats: north, east, south, west.")
        return tuple(seat for seat in SEAT_KEYS if seat in seats) if len(set(seats)) < len(SEAT_KEYS) else ()


@dataclass(frozen=True)
class Steps:
    """Where the reader is, and the addresses of the other steps. Each keeps the page's other parameters.

    A link leads to the link on the next page that goes the same way. So it has the focus there, and the hands are in
    view on a phone.
    """

    path: str
    parameters: Mapping[str, str]
    step: int
    last: int

    @property
    def back(self) -> str:
        return self.address(self.step - 1, "back" if self.step > 1 else "next") if self.step else ""

    @property
    def next(self) -> str:
        is_last = self.step + 1 >= self.last
        return self.address(self.step + 1, "back" if is_last else "next") if self.step < self.last else ""

    @property
    def without(self) -> str:
        """Return the address of the page that shows everything."""
        return self.path + (f"?{urlencode(self.parameters)}" if self.parameters else "")

    @property
    def here(self) -> str:
        return self.address(self.step)

    @property
    def start(self) -> str:
        return self.address(0, "next")

    @property
    def end(self) -> str:
        return self.address(self.last, "back")

    def address(self, step: int, fragment: str = "") -> str:
        hash_sign = "#" if fragment else ""
        value = END if step >= self.last else step
        return f"{self.path}?{urlencode({**self.parameters, 'step': value})}{hash_sign}{fragment}"
