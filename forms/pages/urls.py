from django.urls import path

from forms.declarations import FORMS
from forms.pages import views

urlpatterns = [
    path("forms", views.FormIndexPage.as_view(), name="form-index"),
    *(
        path(f"forms/{form.name}", views.FormPage.as_view(form=form), name=f"form-page-{form.name}")
        for form in FORMS.values()
    ),
    *(
        path(f"forms/{form.name}/thanks", views.ThanksPage.as_view(form=form), name=f"form-thanks-{form.name}")
        for form in FORMS.values()
    ),
]
