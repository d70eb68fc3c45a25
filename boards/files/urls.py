from django.urls import path

from boards.files.collections import CollectionFile

urlpatterns = [
    path("collections/<any_uuid:pk>.pbn", CollectionFile.as_view(), name="collection-file"),
]
