"""The list of queued tasks for staff: the page of django-tasks-db with the rules of all admin pages here.

The start page of the admin says which tasks failed.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django_tasks_db.admin import DBTaskResultAdmin
from django_tasks_db.compat import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult

from config.admin.options import LargeTableAdmin
from config.admin.waiting import Line, count, link_to_list

admin.site.unregister(DBTaskResult)


@admin.register(DBTaskResult)
class TaskAdmin(LargeTableAdmin, DBTaskResultAdmin):
    list_display: Any = ("what", "status", "enqueued_at", "started_at", "finished_at")
    list_filter: ClassVar[Any] = ("status",)
    search_fields = ("id", "task_path")

    @admin.display(description="Task", ordering="task_path")
    def what(self, task: DBTaskResult) -> str:
        """Return the name of the task's function in words: "Send mail of the week"."""
        return task.task_name.replace("_", " ").capitalize()


def waiting_tasks(request: HttpRequest) -> Iterator[Line]:
    """Tell how many tasks failed: a mail server that is down is tried again for most of a day."""
    rows = DBTaskResult.objects.order_by()
    retried = rows.filter(status=Status.READY).exclude(exception_class_path="")
    for what, chosen, status in (
        ("E-mail and other tasks that failed and will be retried", retried, Status.READY),
        ("E-mail and other tasks that failed for good", rows.failed(), Status.FAILED),
    ):
        if url := link_to_list(request, DBTaskResult, status__exact=status):
            amount = count(chosen)
            yield Line(what, amount, url, is_trouble=amount != "0")
