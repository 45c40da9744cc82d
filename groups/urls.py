# /groups/
from django.urls import path

from groups import api, views

app_name = "groups"
urlpatterns = [
    path("new/", views.found_group, name="found"),
    path("<slug:code>/", views.group_page, name="page"),
    path("<slug:code>/members/", views.members, name="members"),
    path("<slug:code>/members/<int:pk>/", views.change_member, name="change_member"),
    path("<slug:code>/settings/", views.settings, name="settings"),
]

# /api/v1/ (groups/)
api_urlpatterns = [
    path("groups/", api.GroupList.as_view()),
    path("groups/<slug:code>/members/", api.MemberList.as_view()),
    path("groups/<slug:code>/members/<slug:person>/", api.MemberDetail.as_view()),
    path("groups/<slug:code>/invitation/", api.Invitation.as_view()),
]
