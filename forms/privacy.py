"""What a visitor sent bears no account: it is a person's only by an e-mail address that one account alone has."""

from django.db.models import QuerySet

from accounts.models import Account
from accounts.privacy import Holding, holds
from forms.models import Submission


def submissions_of(account: Account) -> QuerySet[Submission]:
    others = Account.objects.filter(email__iexact=account.email).exclude(pk=account.pk)
    if not account.email or others.exists():
        return Submission.objects.none()
    return Submission.objects.filter(data__email__iexact=account.email)


holds(Holding("submissions", submissions_of))
