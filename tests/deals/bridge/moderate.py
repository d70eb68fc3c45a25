"""The settings of every property test: the number of examples bounds its time, never a clock."""

from hypothesis import settings

moderate = settings(deadline=None, max_examples=25)
