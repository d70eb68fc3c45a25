from django.urls import path

from boards import pages, sitemaps

urlpatterns = [
    path("", pages.HomePage.as_view(), name="home"),
    path("boards", pages.GalleryPage.as_view(), name="gallery"),
    path("boards/<uuid:pk>", pages.BoardPage.as_view(), name="board-page"),
    path("boards/<uuid:pk>.txt", pages.BoardTextPage.as_view(), name="board-text"),
    path("robots.txt", sitemaps.RobotsView.as_view(), name="robots"),
    path("sitemap.xml", sitemaps.SitemapIndexView.as_view(), name="sitemap-index"),
    path("sitemap-<int:number>.xml", sitemaps.SitemapView.as_view(), name="sitemap"),
    path("themes", pages.ThemesPage.as_view(), name="themes-page"),
]
