"""What gunicorn serves. A deployment that is set up wrongly says so here, before it answers anybody."""

import os

from django.core.management import BaseCommand
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
BaseCommand().check()
