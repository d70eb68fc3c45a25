from django.conf import settings

from accounts.abilities import register
from boards.reviews import Publishing, publishing
from config.edge.reader import has_door

register(
    makeCollections=lambda account: True,
    # These are done on pages alone.
    uploadBoards=lambda account: has_door() and settings.MEMBER_BOARDS > 0,
    askToPublish=lambda account: has_door() and publishing() == Publishing.REVIEW,
    publishBoards=lambda account: has_door() and publishing() == Publishing.OPEN,
)
