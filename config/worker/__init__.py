"""Work that is done after the answer: tasks, queued in the database and run by `manage.py run_worker`.

docs/worker.md says how an app declares a task and enqueues it.
"""
