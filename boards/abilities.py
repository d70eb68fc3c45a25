from accounts.abilities import register
from boards.reviews import Publishing, publishing

register(
    makeCollections=lambda account: True,
    uploadBoards=lambda account: True,
    askToPublish=lambda account: publishing() == Publishing.REVIEW,
    publishBoards=lambda account: publishing() == Publishing.OPEN,
)
