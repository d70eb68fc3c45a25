"""What the worker does about boards."""

from uuid import UUID

from django_tasks import task

from boards.files.previews import read_for_preview


@task
def preview_upload(upload_id: str) -> None:
    """Read a file for its preview. A task that runs twice finds it read, or reads it again from its beginning."""
    read_for_preview(UUID(upload_id))
