from django.urls import path

from boards.pages import feed, hand_records, sitemaps, themes, views
from boards.pages.collections import editing, members, public
from boards.pages.collections import embed as collection_embed
from boards.pages.evenings import events, matches, results_sheet
from boards.pages.finding import summary
from boards.pages.practice import pages as practice
from boards.pages.travel import embed, oembed, today
from boards.pictures.serving import BoardPicture
from config.paths import ACCOUNT, OEMBED, as_route

urlpatterns = [
    path("", views.HomePage.as_view(), name="home"),
    path("boards", views.GalleryPage.as_view(), name="gallery"),
    path("boards.atom", feed.BoardFeed.as_view(), name="feed"),
    path("boards/print", hand_records.HandRecordsPage.as_view(), name="hand-records"),
    path("boards/summary", summary.SummaryPage.as_view(), name="summary"),
    path("boards/<any_uuid:pk>", views.BoardPage.as_view(), name="board-page"),
    path("boards/<any_uuid:pk>/costs", views.CostsPage.as_view(), name="board-costs"),
    path("boards/<any_uuid:pk>.txt", views.BoardTextPage.as_view(), name="board-text"),
    path("boards/<any_uuid:pk>.png", BoardPicture.as_view(), name="board-picture"),
    path("boards/<any_uuid:pk>/embed", embed.BoardEmbed.as_view(), name="board-embed"),
    path("boards/<any_uuid:pk>/hand-viewer", views.HandViewerRedirect.as_view(), name="board-handviewer"),
    path("collections", public.CollectionsPage.as_view(), name="collections-page"),
    path("collections/<any_uuid:pk>", public.CollectionPage.as_view(), name="collection-page"),
    path("collections/<any_uuid:pk>.atom", public.CollectionFeed.as_view(), name="collection-feed"),
    path("collections/<any_uuid:pk>/embed", collection_embed.CollectionEmbed.as_view(), name="collection-embed"),
    path("collections/<any_uuid:pk>/practice", public.CollectionPractice.as_view(), name="collection-practice"),
    path("collections/<any_uuid:pk>/print", public.CollectionRecordsPage.as_view(), name="collection-records"),
    path(f"{as_route(ACCOUNT)}/collections", members.MyCollectionsPage.as_view(), name="my-collections"),
    path(f"{as_route(ACCOUNT)}/collections/add", members.AddBoardPage.as_view(), name="collection-add"),
    path(f"{as_route(ACCOUNT)}/collections/new", members.NewCollectionPage.as_view(), name="collection-new"),
    path(f"{as_route(ACCOUNT)}/collections/<any_uuid:pk>", editing.MyCollectionPage.as_view(), name="my-collection"),
    path(
        f"{as_route(ACCOUNT)}/collections/<any_uuid:pk>/delete",
        editing.DeleteCollectionPage.as_view(),
        name="collection-delete",
    ),
    path("events", events.EventsPage.as_view(), name="events-page"),
    path("events/<slug:slug>", events.EventPage.as_view(), name="event-page"),
    path("events/<slug:slug>/match", matches.MatchPage.as_view(), name="event-match"),
    path("events/<slug:slug>/results", results_sheet.ResultsSheet.as_view(), name="event-results"),
    path(as_route(OEMBED), oembed.OembedView.as_view(), name="oembed"),
    path("practice", practice.PracticeStart.as_view(), name="practice"),
    path("practice/<any_uuid:pk>", practice.PracticePage.as_view(), name="practice-board"),
    path("events/<slug:slug>/print", hand_records.EventRecordsPage.as_view(), name="event-records"),
    path("robots.txt", sitemaps.RobotsView.as_view(), name="robots"),
    path("sitemap.xml", sitemaps.SitemapIndexView.as_view(), name="sitemap-index"),
    path("sitemap-<int:number>.xml", sitemaps.SitemapView.as_view(), name="sitemap"),
    path("today", today.TodayPage.as_view(), name="today"),
    path("today.atom", today.TodayFeed.as_view(), name="today-feed"),
    path("today/embed", today.TodayEmbed.as_view(), name="today-embed"),
    path("themes", themes.ThemesPage.as_view(), name="themes-page"),
    path("themes/<slug:identifier>", themes.ThemePage.as_view(), name="theme-page"),
    path("themes/<slug:theme_type>/<slug:identifier>", themes.ThemePage.as_view(), name="theme-of-type-page"),
]
