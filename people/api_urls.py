# /api/v1/
from django.urls import path

from people import api

urlpatterns = [
    path("me/", api.Me.as_view()),
    path("people/", api.People.as_view()),
    path("people/<slug:code>/", api.OnePerson.as_view()),
    path("passes/", api.Passes.as_view()),
    path("passes/<int:pk>/revoke/", api.RevokePass.as_view()),
]
