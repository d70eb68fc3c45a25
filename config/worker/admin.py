"""The list of queued tasks for staff: the page of django-tasks-db with the rules of all admin pages here."""

from django.contrib import admin
from django_tasks_db.admin import DBTaskResultAdmin
from django_tasks_db.models import DBTaskResult

from config.admin.options import LargeTableAdmin

admin.site.unregister(DBTaskResult)


@admin.register(DBTaskResult)
class TaskAdmin(LargeTableAdmin, DBTaskResultAdmin):
    search_fields = ("id", "task_path")
