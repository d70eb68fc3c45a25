"""The addresses of all pages."""

from django.urls import path

from config import paths
from config.paths import ACCOUNT, API, IMPERSONATION, MEMBER_UPLOAD, OEMBED, SIGN_IN, SIGN_OUT, SIGNED_OUT, as_route
from forms.declarations import FORMS
from pages.boards import hand_records, themes
from pages.boards import views as boards
from pages.collections import editing as own_collection
from pages.collections import members as own_collections
from pages.collections import public as collections
from pages.design import DesignPage
from pages.evenings import events, frames, matches, own, ranking, results_sheet
from pages.forms import views as forms
from pages.home import HomePage
from pages.lessons import classes, handout
from pages.members import (
    account,
    correcting,
    editing,
    impersonation,
    own_boards,
    signing_in,
    stories,
    uploads,
)
from pages.practice import mails, today
from pages.practice import pages as practice
from pages.search import gallery, how_to_search, summary
from pages.sharing import embed, feed, installing, pictures, sitemaps
from pages.site import club, guides

MINE = as_route(ACCOUNT)

urlpatterns = [
    path("", HomePage.as_view(), name="home"),
    path("boards", gallery.GalleryPage.as_view(), name="gallery"),
    path("boards.atom", feed.BoardFeed.as_view(), name="feed"),
    path("boards/how-to-search", how_to_search.HowToSearchPage.as_view(), name="how-to-search"),
    path("boards/print", hand_records.HandRecordsPage.as_view(), name="hand-records"),
    path("boards/summary", summary.SummaryPage.as_view(), name="summary"),
    path("boards/<any_uuid:pk>", boards.BoardPage.as_view(), name="board-page"),
    path("boards/<any_uuid:pk>/costs", boards.CostsPage.as_view(), name="board-costs"),
    path("boards/<any_uuid:pk>/correct", correcting.CorrectPage.as_view(), name="board-correct"),
    path("boards/<any_uuid:pk>/edit", editing.EditPage.as_view(), name="board-edit"),
    path("boards/<any_uuid:pk>/story", stories.StoryPage.as_view(), name="board-story"),
    path("boards/<any_uuid:pk>/vote", boards.VotePage.as_view(), name="board-vote"),
    path("boards/<any_uuid:pk>.txt", boards.BoardTextPage.as_view(), name="board-text"),
    path("boards/<any_uuid:pk>.png", pictures.BoardPicture.as_view(), name="board-picture"),
    path("boards/<any_uuid:pk>/embed", embed.BoardEmbed.as_view(), name="board-embed"),
    path("boards/<any_uuid:pk>/traveller/embed", frames.TravellerEmbed.as_view(), name="traveller-embed"),
    path("boards/<any_uuid:pk>/hand-viewer", boards.HandViewerRedirect.as_view(), name="board-handviewer"),
    path("class", classes.ClassPage.as_view(), name="class"),
    path("class/<slug:code>", classes.ClassPage.as_view(), name="class-of-code"),
    path("collections", collections.CollectionsPage.as_view(), name="collections-page"),
    path("collections/<any_uuid:pk>", collections.CollectionPage.as_view(), name="collection-page"),
    path("collections/<any_uuid:pk>.atom", collections.CollectionFeed.as_view(), name="collection-feed"),
    path("collections/<any_uuid:pk>.pbn", collections.CollectionFile.as_view(), name="collection-file"),
    path("collections/<any_uuid:pk>/embed", collections.CollectionEmbed.as_view(), name="collection-embed"),
    path("collections/<any_uuid:pk>/practice", collections.CollectionPractice.as_view(), name="collection-practice"),
    path("collections/<any_uuid:pk>/print", collections.CollectionRecordsPage.as_view(), name="collection-records"),
    path("lessons/<any_uuid:pk>", collections.CollectionPractice.as_view(), name="lesson"),
    path("lessons/<any_uuid:pk>.pbn", collections.LessonFile.as_view(), name="lesson-file"),
    path("lessons/<any_uuid:pk>/hand-out", handout.HandoutPage.as_view(), name="lesson-handout"),
    path(f"{MINE}/classes/<any_uuid:pk>", classes.OwnClassPage.as_view(), name="own-class"),
    path(f"{MINE}/collections", own_collections.MyCollectionsPage.as_view(), name="my-collections"),
    path(f"{MINE}/collections/add", own_collections.AddBoardPage.as_view(), name="collection-add"),
    path(f"{MINE}/collections/new", own_collections.NewCollectionPage.as_view(), name="collection-new"),
    path(f"{MINE}/collections/<any_uuid:pk>", own_collection.MyCollectionPage.as_view(), name="my-collection"),
    path(f"{MINE}/collections/<any_uuid:pk>/classes", classes.OwnClassesPage.as_view(), name="own-classes"),
    path(f"{MINE}/collections/<any_uuid:pk>/delete", own_collection.DeletePage.as_view(), name="collection-delete"),
    path("design", DesignPage.as_view(), name="design"),
    path("events", events.EventsPage.as_view(), name="events-page"),
    path("events/<slug:slug>", events.EventPage.as_view(), name="event-page"),
    path("events/<slug:slug>/embed", frames.EventEmbed.as_view(), name="event-embed"),
    path("events/<slug:slug>/picture.png", pictures.EventPicture.as_view(), name="event-picture"),
    path("events/<slug:slug>/match", matches.MatchPage.as_view(), name="event-match"),
    path("events/<slug:slug>/our", own.OurEveningPage.as_view(), name="event-our"),
    path("events/<slug:slug>/ranking", ranking.RankingPage.as_view(), name="event-ranking"),
    path("events/<slug:slug>/results", results_sheet.ResultsSheet.as_view(), name="event-results"),
    path("events/<slug:slug>/print", hand_records.EventRecordsPage.as_view(), name="event-records"),
    path(as_route(OEMBED), embed.OembedView.as_view(), name="oembed"),
    path("practice", practice.PracticeStart.as_view(), name="practice"),
    path("practice/<any_uuid:pk>", practice.PracticePage.as_view(), name="practice-board"),
    path("robots.txt", sitemaps.RobotsView.as_view(), name="robots"),
    path("sitemap.xml", sitemaps.SitemapIndexView.as_view(), name="sitemap-index"),
    path("sitemap-<int:number>.xml", sitemaps.SitemapView.as_view(), name="sitemap"),
    path("today", today.TodayPage.as_view(), name="today"),
    path("today.atom", today.TodayFeed.as_view(), name="today-feed"),
    path("today/embed", today.TodayEmbed.as_view(), name="today-embed"),
    path("themes", themes.ThemesPage.as_view(), name="themes-page"),
    path("themes/<slug:identifier>", themes.ThemePage.as_view(), name="theme-page"),
    path("themes/<slug:theme_type>/<slug:identifier>", themes.ThemePage.as_view(), name="theme-of-type-page"),
    path(as_route(SIGN_IN), signing_in.SignInPage.as_view(), name="sign-in"),
    path(f"{as_route(SIGN_IN)}/callback", signing_in.CallbackPage.as_view(), name="sign-in-callback"),
    path(as_route(SIGN_OUT), signing_in.SignOut.as_view(), name="sign-out"),
    path(as_route(SIGNED_OUT), signing_in.SignedOutPage.as_view(), name="signed-out"),
    path(f"{MINE}/boards", own_boards.OwnBoardsPage.as_view(), name="own-boards"),
    path(as_route(MEMBER_UPLOAD), uploads.UploadPage.as_view(), name="own-upload"),
    path(as_route(f"{MEMBER_UPLOAD}/<any_uuid:upload_id>"), uploads.PreviewPage.as_view(), name="own-preview"),
    path(MINE, account.AccountPage.as_view(), name="account"),
    path(f"{MINE}/data.json", account.DataDownload.as_view(), name="account-data"),
    path(f"{MINE}/delete", account.DeletePage.as_view(), name="account-delete"),
    path(f"{MINE}/deleted", account.DeletedPage.as_view(), name="account-deleted"),
    path(f"{MINE}/devices", account.DevicesPage.as_view(), name="devices"),
    path(f"{MINE}/mail", mails.MailPage.as_view(), name="account-mail"),
    path("mail-of-the-week/confirm/<str:token>", mails.ConfirmPage.as_view(), name="mail-confirm"),
    path("mail-of-the-week/stop/<str:token>", mails.StopPage.as_view(), name="mail-stop"),
    path(as_route(IMPERSONATION), impersonation.StartPage.as_view(), name="impersonation-page"),
    path(f"{as_route(IMPERSONATION)}/stop", impersonation.StopPage.as_view(), name="impersonation-stop-page"),
    path(f"{as_route(IMPERSONATION)}/ended", impersonation.EndedPage.as_view(), name="impersonation-ended"),
    path(f"{MINE}/looks", account.LooksPage.as_view(), name="looks"),
    path("forms", forms.FormIndexPage.as_view(), name="form-index"),
    *(
        path(f"forms/{form.name}", forms.FormPage.as_view(form=form), name=f"form-page-{form.name}")
        for form in FORMS.values()
    ),
    *(
        path(f"forms/{form.name}/thanks", forms.ThanksPage.as_view(form=form), name=f"form-thanks-{form.name}")
        for form in FORMS.values()
    ),
    path(f"{as_route(API)}/docs/<slug:name>", guides.GuidePage.as_view(), name="guide"),
    path(f"{as_route(API)}/docs/<slug:name>.md", guides.GuideTextView.as_view(), name="guide-text"),
    path("apple-touch-icon.png", installing.IconFile.as_view(), {"size": installing.APPLE_SIZE}, name="apple-icon"),
    path(as_route(f"{paths.CLUB}/colours.css"), club.ColoursFile.as_view(), name="club-colours"),
    path(as_route(f"{paths.CLUB}/icon-<int:size>.png"), installing.IconFile.as_view(), name="club-icon"),
    path(as_route(f"{paths.CLUB}/mark.<slug:kind>"), club.MarkFile.as_view(), name="club-mark"),
    path(as_route(paths.IMPRINT), club.ImprintPage.as_view(), name="imprint"),
    path(as_route(paths.MANIFEST), installing.ManifestView.as_view(), name="manifest"),
    path("llms.txt", guides.LlmsTextView.as_view(), name="llms"),
]
