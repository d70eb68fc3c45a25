"""Every setting of the service. Everything that differs between two machines is an environment variable.

`var/env` (KEY=VALUE lines, written by `dev.py run`, never overriding the real environment) lets manage.py see the
same database and secrets as the service that dev.py started. ENV_FILE names another file.
"""

import os
import tomllib
from datetime import timedelta
from email.utils import formataddr
from pathlib import Path
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config import paths, templates
from config.database.configuring import configure
from config.spectacular import spectacular_settings
from config.values.club import read_club

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

env = environ.Env()
env.read_env(os.environ.get("ENV_FILE") or BASE_DIR / "var" / "env")


def flag(name: str, *, default: bool) -> bool:
    """Return a setting that is true or false, blank being the default. Raise ImproperlyConfigured for any other value.

    `env.bool` would read DEBUG=ture as false.
    """
    value = env.str(name, default="").strip().lower() or str(default).lower()
    if value not in {"true", "1", "on", "yes", "false", "0", "off", "no"}:
        raise ImproperlyConfigured(f"{name}={value} must be true or false.")
    return value in {"true", "1", "on", "yes"}


# --- The process ---------------------------------------------------------------------------------------------

DEBUG = flag("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
PUBLIC_BASE_URL = env.str("PUBLIC_BASE_URL", default="http://localhost:8000").rstrip("/")
HTTPS = PUBLIC_BASE_URL.startswith("https://")
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=[])
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# A port of its own for /metrics, such as 127.0.0.1:9100. Who reaches it needs no token.
METRICS_BIND = env.str("METRICS_BIND", default="")
# What the club or federation shows of itself on every page, in mails, feeds, pictures and frames.
CLUB = read_club(
    name=env.str("CLUB_NAME", default=""),
    mark=env.str("CLUB_MARK", default=""),
    accent=env.str("CLUB_ACCENT", default=""),
    band=env.str("CLUB_BAND", default=""),
    welcome=env.str("CLUB_WELCOME", default=""),
    links=env.str("CLUB_LINKS", default=""),
    imprint=env.str("CLUB_IMPRINT", default=""),
)
# What was built, such as a commit: a label of the metrics.
BUILD = env.str("BUILD", default="")
# The share of requests that succeed which leave an access line, from 0 to 1. Those that fail leave one each.
ACCESS_LOG_SUCCESSES = env.float("ACCESS_LOG_SUCCESSES", default=0.01)

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False

INSTALLED_APPS = [
    "config.admin.apps.BridgeBoardsAdminConfig",
    # Before Django's apps, so that its command createsuperuser is ours.
    "accounts",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "django_tasks",
    "django_tasks_db",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "config",
    "deals",
    "themes",
    "search",
    "boards",
    "voting",
    "impersonation",
    "forms",
    "pages",
]

# Outermost first, in four groups; docs/decisions/0012 says why each entry stands where it does.
MIDDLEWARE = [
    # What sees every answer.
    "config.edge.observability.metrics.ObservabilityMiddleware",
    # Headers, which the edge's refusals have too.
    "config.edge.middleware.CrossOriginMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.edge.middleware.ContentSecurityPolicyMiddleware",
    # The request checks below, before routing, sessions and bodies.
    "config.edge.middleware.EdgeMiddleware",
    # Pages, static files and the admin. The API knows no session: ReadableRequest takes its cookie away there.
    "django.middleware.common.CommonMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "impersonation.middleware.ImpersonationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "config.edge.middleware.ReplicaMiddleware",
]

# EdgeMiddleware lets these check a request in this order, and finish its answer in the reverse order. The first
# refusal is the answer; every request check finishes it. Decision 0012 again.
REQUEST_CHECKS = [
    # It refuses nothing, and finishes what the others have sent.
    "forms.request_checks.FormLimitHeaders",
    # They refuse without the database: strangers first, then what nobody can read, then who asks too much.
    "deals.authentication.ApiKeyGate",
    "config.edge.request_checks.ReadableRequest",
    "config.edge.limits.read_limit.ReadLimit",
    # It refuses nothing here: what reads much takes its permit on the way.
    "config.edge.limits.dear_reads.DearReads",
    "config.edge.request_checks.Writers",
]

# What is read most. Where a request is plain, config.edge.serving answers these in front of all middleware.
PUBLIC_READS = [
    "boards.catalogue.answers.BOARD",
    "boards.catalogue.answers.BOARD_LIST",
    "themes.serializers.THEME_LIST",
]

# What /metrics reads from the database, and what /readyz asks for a sentence about what does not work.
GAUGES = ["config.worker.runner.gauges", "deals.watching.gauges", "boards.searching.checking.gauges"]
DEGRADATIONS = [
    "deals.watching.trouble_of_worker",
    "deals.watching.trouble_of_solver",
    "boards.searching.checking.trouble_of_index",
]

# What the start page of the admin says, in this order (config.admin.waiting).
WAITING = [
    "forms.admin.waiting_messages",
    "boards.waiting.waiting_boards",
    "boards.waiting.drafts",
    "deals.admin.waiting_deals",
    "deals.admin.signs_of_life",
    "config.worker.admin.waiting_tasks",
]

# Cookies would be headers of up to 2 KiB. Only the admin shows messages, and its readers have a session.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": templates.LOADERS,
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "pages.site.club.show_club",
            ],
        },
    },
]

# --- Stores --------------------------------------------------------------------------------------------------

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOCK_WAIT_SECONDS = 20
# Behind PgBouncer in transaction mode or its like: config.database.configuring says what then must not be done.
DATABASE_POOLED = flag("DATABASE_POOLED", default=False)
PREPARED_STATEMENTS = flag("PREPARED_STATEMENTS", default=True)
DATABASE_REPLICA_URLS = env.list("DATABASE_REPLICA_URLS", default=[])
REPLICA_MAX_LAG = env.int("REPLICA_MAX_LAG", default=5)
DATABASES = configure(
    env.db("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'var' / 'db.sqlite3'}"),
    [env.db_url_config(url) for url in DATABASE_REPLICA_URLS],
    lock_seconds=LOCK_WAIT_SECONDS,
    prepare=PREPARED_STATEMENTS,
    pooled=DATABASE_POOLED,
)
DATABASE_ROUTERS = ["config.database.replicas.Router"] if DATABASE_REPLICA_URLS else []

CACHE_URL = env.str("CACHE_URL", default="")
# Entries of the in-process store are counters of form posts: the default of 300 would forget some too early.
IN_PROCESS_CACHE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
CACHES = {"default": env.cache_url("CACHE_URL") if CACHE_URL else IN_PROCESS_CACHE}
if CACHE_URL:
    # A store that hangs must not keep the threads that serve everybody.
    url_options = env.cache_url("CACHE_URL").get("OPTIONS", {})
    CACHES["default"]["OPTIONS"] = {"socket_connect_timeout": 1, "socket_timeout": 1, **url_options}

# --- Background work -----------------------------------------------------------------------------------------

# Django 6 has the interface built in: then "django_tasks" goes from the apps, and from the imports of each tasks.py.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# --- Who is calling ------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.Account"
# Staff log in to the admin with a password, with the identity provider as this client of it, or with either. Django
# ends the sessions of a way that is switched off, because its backend is gone.
ADMIN_PASSWORDS = flag("ADMIN_PASSWORDS", default=True)
ADMIN_ONE_TIME_CODES = flag("ADMIN_ONE_TIME_CODES", default=HTTPS)
ADMIN_OIDC_CLIENT_ID = env.str("ADMIN_OIDC_CLIENT_ID", default="")
ADMIN_OIDC_CLIENT_SECRET = env.str("ADMIN_OIDC_CLIENT_SECRET", default="")
# What the ID token of staff must say of the login: one of these classes (acr), and one of these methods (amr).
ADMIN_OIDC_ACR = env.str("ADMIN_OIDC_ACR", default="").split()
ADMIN_OIDC_AMR = env.str("ADMIN_OIDC_AMR", default="").split()
# Members sign in on the pages as this client of the provider. Blank: nobody signs in on the pages.
MEMBER_OIDC_CLIENT_ID = env.str("MEMBER_OIDC_CLIENT_ID", default="")
MEMBER_OIDC_CLIENT_SECRET = env.str("MEMBER_OIDC_CLIENT_SECRET", default="")
# Any characters may make a password: there is no rule of composition.
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("id", "email", "first_name", "last_name", "display_name")},
    },
    {"NAME": "accounts.password_words.ContextWordsValidator"},
]

API_KEY = env.str("API_KEY", default="")
API_KEY_PREVIOUS = env.str("API_KEY_PREVIOUS", default="")

JWT_ISSUER = env.str("JWT_ISSUER", default="")
JWT_AUDIENCE = env.str("JWT_AUDIENCE", default="")
JWT_JWKS_URL = env.str("JWT_JWKS_URL", default="")
JWT_SHARED_SECRET = env.str("JWT_SHARED_SECRET", default="")
JWT_ALGORITHMS = env.list("JWT_ALGORITHMS", default=[])
JWT_TOKEN_TYPE = env.str("JWT_TOKEN_TYPE", default="")
JWT_SCOPE = env.str("JWT_SCOPE", default="")  # a token must have all of them, with spaces between
SIMPLE_JWT = {"LEEWAY": 30, "USER_ID_CLAIM": "sub", "SIGNING_KEY": None, "JTI_CLAIM": None, "TOKEN_TYPE_CLAIM": None}
DEVELOPMENT_TOKENS = flag("DEVELOPMENT_TOKENS", default=False)
# Whoever sits at this machine signs in as a demonstration member, without a provider.
DEVELOPMENT_SIGN_IN = DEVELOPMENT_TOKENS and urlsplit(PUBLIC_BASE_URL).hostname in paths.LOOPBACK_HOSTS

AUTHENTICATION_BACKENDS = [
    *(["accounts.backends.PasswordBackend"] if ADMIN_PASSWORDS and not ADMIN_ONE_TIME_CODES else []),
    *(["accounts.backends.OneTimeCodeBackend"] if ADMIN_PASSWORDS and ADMIN_ONE_TIME_CODES else []),
    *(["accounts.backends.ProviderBackend"] if ADMIN_OIDC_CLIENT_ID else []),
    *(["accounts.backends.MemberBackend"] if MEMBER_OIDC_CLIENT_ID or DEVELOPMENT_SIGN_IN else []),
]

# --- The edge ------------------------------------------------------------------------------------------------

# "100/m" is a hundred a minute; s, m, h and d are the units. Blank turns a limit off.
READ_RATE = env.str("READ_RATE", default="1200/m")
WRITE_RATE = env.str("WRITE_RATE", default="600/m")
# Monitors and static files are cheap, and deals need a key.
READ_RATE_EXEMPT = (*paths.OPERATOR, paths.STATIC, paths.DEALS, paths.BACK_CHANNEL_LOGOUT)
# Exports, sitemaps and questions to the solver that a client may begin, of each kind.
EXPORT_RATE = env.str("EXPORT_RATE", default="10/m")
FORM_RATE_PER_CLIENT = env.str("FORM_RATE_PER_CLIENT", default="10/m")
FORM_RATE_IN_TOTAL = env.str("FORM_RATE_IN_TOTAL", default="300/m")
QUESTION_RATE_IN_TOTAL = env.str("QUESTION_RATE_IN_TOTAL", default="60/m")
PRACTICE_RATE_PER_CLIENT = env.str("PRACTICE_RATE_PER_CLIENT", default="300/m")
PRACTICE_RATE_IN_TOTAL = env.str("PRACTICE_RATE_IN_TOTAL", default="3000/m")
# Files that a member may upload, counted exactly for each account.
MEMBER_UPLOAD_RATE = env.str("MEMBER_UPLOAD_RATE", default="30/d")
# Whether members publish their own boards: off, after a review by staff, or at once (open).
MEMBER_PUBLISHING = env.str("MEMBER_PUBLISHING", default="review")
# The most boards that an account may come to own by its own uploads.
MEMBER_BOARDS = env.int("MEMBER_BOARDS", default=5000)
# The memory of a process for answers that are kept until something is committed. 0 keeps none.
CACHED_RESPONSES_MIB = env.int("CACHED_RESPONSES_MIB", default=8)

# Seconds for which browsers and a CDN may send a public answer again, though it was changed or withdrawn.
PUBLIC_MAX_AGE = env.int("PUBLIC_MAX_AGE", default=0)

# Days after which `prune` deletes; 0 keeps for ever.
EVENT_RETENTION_DAYS = env.int("EVENT_RETENTION_DAYS", default=730)
SUBMISSION_RETENTION_DAYS = env.int("SUBMISSION_RETENTION_DAYS", default=365)
FEED_RETENTION_DAYS = env.int("FEED_RETENTION_DAYS", default=30)

# The request check ReadableRequest refuses a larger body before it is read. Django's own limit is the largest of them.
MAX_BODY_BYTES = 256 * 1024
MAX_BODY_BYTES_OF = dict.fromkeys((f"{paths.DEALS}/import", paths.BOARD_UPLOAD, paths.MEMBER_UPLOAD), 16 * 1024 * 1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = max(MAX_BODY_BYTES_OF.values())

CORS_ALLOWED_ORIGINS = env.list("CORS_ALLOWED_ORIGINS", default=[])
# All of the API but the deals: those are for servers, which know no CORS.
CORS_URLS_REGEX = rf"^(?!{paths.DEALS}(/|$)){paths.API}/"
CORS_ALLOW_METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "if-match",
    "if-none-match",
    "x-impersonation-id",
    "x-request-id",
]
CORS_EXPOSE_HEADERS = [
    "Deprecation",
    "ETag",
    "Link",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Sunset",
    "X-Impersonated-User-Id",
    "X-Request-Id",
]

# The proxy that holds the certificate redirects; behind it every request looks plain.
SECURE_SSL_REDIRECT = False
# The others are warnings that an operator has understood, such as config.W003. What stops a start is never silenced.
silenced = env.list("SILENCED_SYSTEM_CHECKS", default=[])
SILENCED_SYSTEM_CHECKS = ["security.W008", *(check for check in silenced if ".W" in check)]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS and TRUSTED_PROXIES else None
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
# A browser takes such a cookie from this host over https alone: no other host of the domain can set or replace it.
SESSION_COOKIE_NAME = f"{'__Host-' if HTTPS else ''}sessionid"
CSRF_COOKIE_NAME = f"{'__Host-' if HTTPS else ''}csrftoken"
# Behind a proxy that sends no X-Forwarded-Proto every request looks like plain HTTP. The browser's Origin is right.
CSRF_TRUSTED_ORIGINS = [PUBLIC_BASE_URL]
CSRF_FAILURE_VIEW = "config.edge.error_page.csrf_failure"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_ENGINE = "accounts.models.sessions"
# A session ends when nobody has used it for so long, and at last when it is so old.
ADMIN_SESSION_LIMITS = (
    timedelta(minutes=env.int("ADMIN_SESSION_IDLE_MINUTES", default=60)),
    timedelta(hours=env.int("ADMIN_SESSION_HOURS", default=12)),
)
MEMBER_SESSION_LIMITS = (
    timedelta(days=env.int("MEMBER_SESSION_IDLE_DAYS", default=7)),
    timedelta(days=env.int("MEMBER_SESSION_DAYS", default=30)),
)
# Django 6 has this setting built in: then ContentSecurityPolicyMiddleware is deleted and this line stays.
SECURE_CSP = {
    "default-src": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'self'"],
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
}

# --- The API -------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["impersonation.authentication.ImpersonationAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["config.edge.limits.read_limit.ChangeThrottle"],
    "DEFAULT_PARSER_CLASSES": ["config.api.negotiation.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["config.api.negotiation.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "config.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "config.api.errors.exception_handler",
    "NON_FIELD_ERRORS_KEY": "nonFieldErrors",
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS = spectacular_settings(VERSION, PUBLIC_BASE_URL)

# --- Pages, language, mail, logs -----------------------------------------------------------------------------

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.formats"
STATIC_URL = f"{paths.STATIC}/"
# Static files are served straight from the packages, so that a fresh clone needs no collectstatic.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
# Seconds for each step of talking to the mail server: a task that hangs would hold up those behind it.
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="") or formataddr((CLUB.name, "noreply@localhost"))
FORM_MAIL_TO = env.list("FORM_MAIL_TO", default=[])

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.edge.observability.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    # A 4xx is the client's mistake, and the access line has it already.
    "loggers": {"django.request": {"level": "ERROR"}, "django.security": {"level": "CRITICAL"}},
}
