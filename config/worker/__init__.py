"""What is done after the answer: tasks, queued in the database and run by `manage.py run_worker`.

An app has a `tasks.py` with functions under Django's Tasks interface, and says `send_mail.enqueue(some_id)` where the
work is caused, inside the same transaction: the task is there exactly when the rest is.

    queue       which task is next, and what becomes of it; retries and leases, which the package leaves to others
    runner      one thread that runs tasks
    stopping    how a long-running command is asked to end
    outages     waiting for a database that is down
"""
