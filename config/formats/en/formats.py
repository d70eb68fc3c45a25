"""How dates are written for people, in place of Django's "Nov. 20, 2026, 7:05 p.m.". FORMAT_MODULE_PATH names it."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
