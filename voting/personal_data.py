"""A person's votes. Erasing deletes them, and the boards' counters stay the exact sum of the votes that are left."""

from accounts.personal_data import PersonalData, register
from voting import services
from voting.models import Vote

register(
    PersonalData("votes", lambda account: Vote.objects.filter(account=account), "votes deleted", services.delete_votes)
)
