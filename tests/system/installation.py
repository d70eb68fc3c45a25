"""An installation with data of every kind, and a crawl that writes down what each kind of reader is answered."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta

import requests
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.utils import timezone

from accounts.models import Account, AccountChange, MailOfTheWeek
from boards.collections.classes import count_answer_of_class, open_class
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Board, BoardOfTheDay, PracticeAnswer, PublicationReview
from deals.models import FeedEvent, WebhookEndpoint
from forms.services import submit
from impersonation.audit import AuditContext
from impersonation.services import start, stop
from tests import factories
from tests.forms.bodies import CONTACT
from tests.members import signed_in
from tests.system.readers import make_member

BOARDS = 96
EMPTY = {
    "accounts.OneTimeCode", "boards.CardCosts", "boards.Upload", "deals.Heartbeat", "deals.FeedState",
    "deals.SolverFault", "impersonation.EventPruning", "search.Slice",
}  # fmt: skip
"""What has no row: what the worker, a fold of the index and `prune` make, and a secret that only its owner has."""

LINK = re.compile(r"(?:href=\"|\"(?:http://[^/\"]+))(/[^\"#]*)")
RANDOM = re.compile(
    r"127\.0\.0\.1(?:%3A|:)\d+"  # the port
    r"|(?<=name=\"csrfmiddlewaretoken\" value=\")[^\"]+|(?<=nonce=\")[^\"]+"
    r"|(?<=\"requestId\":\")[^\"]+|(?<=\"exportedAt\":\")[^\"]+|(?<=\"seenAt\":\")[^\"]+"
    r"|(?<=\"expireDate\":\")[^\"]+"  # a session in use is made longer
    r"|(?<=name=\")(?:opened|opened_at|until)\" value=\"[^\"]+"  # when the page was made
    r"|just now|\d+\s(?:second|minute|hour)s?(?: ago)?"  # how long ago
)
"""What is another one in each answer, or after a while."""

NEWER = ',"newer":""'
"""The column of the newer version, which the export of an account shows."""

NOT_READ = re.compile("/static/|/[0-9]{4}/|/admin/[a-z]+/[a-z]+/add/")
"""Files, names of XML, and empty forms, which have a new id each time."""

PAGES = ("/", "/boards", "/events", "/collections", "/themes", "/today", "/api/boards?pageSize=100", "/api/themes")
OF_API = ("/api/accounts/me", "/api/collections", "/api/deals?pageSize=100", "/api/events", "/api/boards?pageSize=100")
STARTS = {
    "member": ("/account", "/account/boards", "/account/collections", *PAGES),
    "staff": ("/admin/", *PAGES),
    "stranger": PAGES,
    "token": OF_API,
    "program": OF_API,
}
"""Where each kind of reader begins."""

MOST = 110
"""The addresses that one reader asks for."""

Readers = Mapping[str, Mapping[str, str]]
"""The headers of each kind of reader, by its name."""


def fill() -> str:
    """Add rows of every kind to the demonstration's, and return the cookies of a member and of staff as JSON."""
    first = Board.objects.order_by("number")[0]
    member = make_member("ann", first, "up", "for")
    boards = [factories.board(seed=seed, owner=member.account) for seed in range(BOARDS - Board.objects.count())]
    for board in boards[:9]:
        PublicationReview.objects.create(board=board, changes={"title": "Another"})
    boss = Account.objects.create(id="boss", role="admin", display_name="Boss")
    lesson, _ = create_collection(
        owner=member.account,
        texts=Texts("For all", visibility="public"),
        places=[CollectionEntry(each.pk) for each in boards],
    )
    lesson_class = open_class(owner=member.account, collection_id=lesson.pk)
    count_answer_of_class(lesson_class.code, boards[0], "question", "Pass")
    PracticeAnswer.objects.create(board=first, question="question", answer="Pass", count=3)
    BoardOfTheDay.objects.create(day=timezone.now().date(), board=first)
    MailOfTheWeek.objects.create(account=member.account, address="ann@example.org", confirmed_at=timezone.now())
    submit(form="contact", data=CONTACT, client="c", language="en", is_suspected=False)
    hook = WebhookEndpoint.objects.create(
        url="https://club.example/hook", event_types=[FeedEvent.Type.values[0]], position=0
    )
    hook.deliveries.create(event_type=hook.event_types[0], message_id="1", sent_at=timezone.now(), status=204)
    AccountChange.objects.create(subject_id=boss.pk, field="role", new="admin")
    LogEntry.objects.create(user=boss, object_id=str(first.pk), object_repr="a board", action_flag=CHANGE)
    context = AuditContext("a test")
    looked = start(actor=boss, subject=member.account, reason="To help", ttl=timedelta(minutes=5), context=context)
    stop(actor=boss, impersonation_id=looked.pk, context=context)
    staff = signed_in(boss, "accounts.backends.PasswordBackend").cookies["sessionid"].value
    return json.dumps({"member": member.cookie, "staff": f"sessionid={staff}"})


def find_empty() -> set[str]:
    """Return the models without a row."""
    models = apps.get_models(include_auto_created=True)
    stored = (model for model in models if model._meta.managed and not model._meta.proxy)
    return {model._meta.label for model in stored if not model._base_manager.exists()}


def visit(base: str, path: str, headers: Mapping[str, str]) -> str:
    """Return the status and the text of an answer, without what is another one in each answer."""
    answer = requests.get(base + path, headers=headers, timeout=120, allow_redirects=False)
    text = answer.text.replace("\xa0", " ").replace("&nbsp;", " ").replace(NEWER, "")
    return f"{answer.status_code}\n" + RANDOM.sub("…", text)


def crawl(base: str, readers: Readers) -> dict[tuple[str, str], str]:
    """Follow the links of pages and answers, as each reader, and return the answers by reader and path."""
    return {
        (name, path): answer
        for name, headers in readers.items()
        for path, answer in follow(base, headers, [*STARTS[name]])
    }


def follow(base: str, headers: Mapping[str, str], paths: list[str]) -> Iterator[tuple[str, str]]:
    for path in paths:  # it grows meanwhile
        answer = visit(base, path, headers)
        yield path, answer
        further = (found.replace("&amp;", "&") for found in LINK.findall(answer) if not NOT_READ.match(found))
        paths += [found for found in dict.fromkeys(further) if found not in paths][: MOST - len(paths)]


def revisit(base: str, readers: Readers, before: Mapping[tuple[str, str], str]) -> dict[str, tuple[str, str]]:
    """Ask for all that a crawl has found, and return where an answer is another one now: what it was, and is."""
    now = ((name, path, visit(base, path, readers[name])) for name, path in before)
    return {
        f"{name} {path}": first_difference(before[name, path], answer)
        for name, path, answer in now
        if answer != before[name, path]
    }


def first_difference(one: str, other: str) -> tuple[str, str]:
    """Return both texts from a little before the place where they begin to differ."""
    common = (place for place, (ours, theirs) in enumerate(zip(one, other, strict=False)) if ours != theirs)
    place = max(next(common, min(len(one), len(other))) - 60, 0)
    return one[place : place + 160], other[place : place + 160]
