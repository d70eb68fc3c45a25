"""The service's settings with the environment that a test run needs. DATABASE_URL names the database, as ever."""

import os
import tempfile
from pathlib import Path

os.environ.update(
    {
        # A developer's own settings, which `dev.py run` keeps in var/env, are none of a test's, nor of its children's.
        "ENV_FILE": os.devnull,
        "SECRET_KEY": "a key for tests, as long as a real one has to be: 0123456789abcdef",
        "API_KEY": "an-api-key-for-tests-0123456789abcdef",
        "API_KEY_PREVIOUS": "the-api-key-before-0123456789abcdef",
        "DEVELOPMENT_TOKENS": "true",
        "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
        "PUBLIC_BASE_URL": "http://testserver",
        "CORS_ALLOWED_ORIGINS": "https://app.example",
        "READ_RATE": "",
        "WRITE_RATE": "",
        "ACCESS_LOG_SUCCESSES": "0",
        "EXPORT_RATE": "1000/m",
        "FORM_RATE_PER_CLIENT": "1000/m",
        "FORM_RATE_IN_TOTAL": "10000/m",
    }
)
for name in (
    "DEBUG",
    "CACHE_URL",
    "FORM_MAIL_TO",
    "TRUSTED_PROXIES",
    "JWT_JWKS_URL",
    "JWT_SHARED_SECRET",
    "JWT_ISSUER",
    "JWT_AUDIENCE",
):
    os.environ.pop(name, None)
_scratch = tempfile.TemporaryDirectory(prefix="bridge-boards-tests-")  # gone when the run ends
SCRATCH = Path(_scratch.name)
os.environ.setdefault("DATABASE_URL", f"sqlite:///{SCRATCH / 'db.sqlite3'}")

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, REST_FRAMEWORK  # noqa: E402

REST_FRAMEWORK["TEST_REQUEST_DEFAULT_FORMAT"] = "json"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
if "sqlite" in DATABASES["default"]["ENGINE"]:
    # A file, as in service: threads of a test then meet as two processes would.
    DATABASES["default"]["TEST"] = {"NAME": str(SCRATCH / "test.sqlite3")}
# Static files are looked up when they are requested: indexing all packages would cost each test client a second.
WHITENOISE_AUTOREFRESH = True

# Members sign in as on a developer's machine: at http://testserver they could not.
DEVELOPMENT_SIGN_IN = True
AUTHENTICATION_BACKENDS = [*AUTHENTICATION_BACKENDS, "accounts.backends.MemberBackend"]  # noqa: F405
