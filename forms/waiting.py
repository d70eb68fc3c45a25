"""What visitors have sent and nobody has handled, for the start page of the admin."""

from collections.abc import Iterator

from django.http import HttpRequest

from config.admin.waiting import Line, count, link_to_list, register
from forms.models import Submission


@register(order=1)
def messages(request: HttpRequest) -> Iterator[Line]:
    if url := link_to_list(request, Submission, handled="no"):
        waiting = Submission.objects.waiting()
        yield Line("Messages to handle", count(waiting.filter(is_suspected=False)), url)
        robots = count(waiting.filter(is_suspected=True))
        yield Line("Messages of suspected robots", robots, f"{url}&sentBy=robots")
