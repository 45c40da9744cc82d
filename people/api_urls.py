# /api/v1/
from django.urls import path

from people import api

urlpatterns = [
    path("me/", api.MeView.as_view()),
    path("people/", api.PeopleView.as_view()),
    path("people/<slug:code>/", api.PersonView.as_view()),
    path("passes/", api.PassesView.as_view()),
    path("passes/<int:pk>/revoke/", api.RevokePassView.as_view()),
]
