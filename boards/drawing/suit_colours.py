"""The colours of the suits on light and on dark ground, for all that is drawn in Python.

Pages have the same from site/table.css, and tests/pages/drawing/test_diagram.py compares them.
"""

ON_WHITE = {"spades": "#14211b", "hearts": "#c0112b", "diamonds": "#a04400", "clubs": "#00683a"}
"""Four colours with a contrast of 6 or more on the white background."""

ON_DARK = {"spades": "#f2f6f4", "hearts": "#ff7d88", "diamonds": "#ffad5c", "clubs": "#67d39b"}
