"""What gunicorn serves. A deployment that is set up wrongly says so here, before it answers anybody."""

import os

import django
from django.core.management import BaseCommand

from config.edge.wsgi import Handler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)
BaseCommand().check()
application = Handler()
