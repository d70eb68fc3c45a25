"""Work that is done after the answer: tasks, queued in the database and run by `manage.py run_worker`.

An app declares functions in its `tasks.py` with Django's Tasks interface and calls `send_mail.enqueue(some_id)` inside
the transaction that causes the work, so that the task exists exactly when the rest does. See docs/worker.md.

    queue       which task is next, and its result: leases and retries, which django-tasks-db leaves to others
    runner      run the tasks, one at a time, in a thread; end when asked to, retry through an outage of the database
"""
