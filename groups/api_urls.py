# /api/v1/ (groups/)
from django.urls import path

from groups import api

urlpatterns = [
    path("groups/", api.GroupList.as_view()),
    path("groups/<slug:code>/members/", api.MemberList.as_view()),
    path("groups/<slug:code>/members/<slug:person>/", api.MemberDetail.as_view()),
    path("groups/<slug:code>/invitation/", api.Invitation.as_view()),
]
