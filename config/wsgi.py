"""The application that gunicorn serves. It fails at the start, with the reason, when a deployment is set up wrongly."""

import os

import django
from django.core.management import BaseCommand

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)
BaseCommand().check()

from config.edge.serving.public_reads import PublicReads  # noqa: E402  (REST framework imports models, which need the setup)
from config.edge.serving.wsgi import Handler  # noqa: E402  (the same)

application = PublicReads(Handler())
