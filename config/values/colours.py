"""Colours and their contrasts, as WCAG 2.2 defines them."""

import colorsys
import re

COLOUR = re.compile("#[0-9a-f]{6}")
MIN_CONTRAST = 4.5
"""What WCAG asks of text (1.4.3)."""

STEP = 0.01
"""The change of lightness from one colour to the next that is tried."""


def luminance_of(colour: str) -> float:
    red, green, blue = (channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
                        for channel in channels_of(colour))  # fmt: skip
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return how well a text of one colour is told from a ground of the other, from 1 to 21."""
    darker, lighter = sorted((luminance_of(one), luminance_of(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable_on(ground: str, colour: str) -> str:
    """Return the colour or, in its hue, the nearest one that can be read on the ground: darker on a light one."""
    step = -STEP if luminance_of(ground) > 0.5 else STEP
    hue, lightness, saturation = colorsys.rgb_to_hls(*channels_of(colour))
    while contrast(colour, ground) < MIN_CONTRAST:
        lightness = min(max(lightness + step, 0), 1)
        red, green, blue = (round(255 * channel) for channel in colorsys.hls_to_rgb(hue, lightness, saturation))
        colour = f"#{red:02x}{green:02x}{blue:02x}"
    return colour


def channels_of(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255
