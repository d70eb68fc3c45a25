"""The tables of accounts: people, auction systems, sessions, one-time codes, addresses for the mail of the week, and
the record of who may do what.
"""

from accounts.models.accounts import (
    DEFAULT_AUCTION_SYSTEM,
    ERASED,
    ROLE_AND_STATUS,
    Account,
    AccountChange,
    AuctionSystem,
    OneTimeCode,
)
from accounts.models.mails import MailOfTheWeek, stop_key_of
from accounts.models.sessions import Session

__all__ = [
    "DEFAULT_AUCTION_SYSTEM",
    "ERASED",
    "ROLE_AND_STATUS",
    "Account",
    "AccountChange",
    "AuctionSystem",
    "MailOfTheWeek",
    "OneTimeCode",
    "Session",
    "stop_key_of",
]
