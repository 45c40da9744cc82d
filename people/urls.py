# /
from django.urls import include, path

from people.views import door, kept, links, me

app_name = "people"

# /me/
me_urls = [
    path("", me.me, name="me"),
    path("name/", me.name, name="my_name"),
    path("arms/", me.arms, name="my_arms"),
    path("account/", me.account, name="my_account"),
    path("password/", me.password, name="my_password"),
    path("mail/", me.mail, name="my_mail"),
    path("trust/", me.trust, name="my_trust"),
    path("link/", me.link, name="my_link"),
    path("log-ins/end-others/", me.end_other_log_ins, name="end_other_log_ins"),
    path("log-ins/<int:pk>/end/", me.end_log_in, name="end_log_in"),
    path("data/", me.data, name="my_data"),
    path("data/file/", me.data_file, name="my_data_file"),
    path("forget/", me.forget, name="forget_me"),
]

# /people/
people_urls = [
    path("", kept.index, name="index"),
    path("<slug:code>/", kept.person, name="person"),
    path("<slug:code>/rename/", kept.rename, name="rename"),
    path("<slug:code>/arms/", kept.arms, name="arms"),
    path("<slug:code>/link/", kept.link, name="issue_link"),
    path("<slug:code>/claim/", kept.claim, name="claim"),
    path("<slug:code>/hand-on/", kept.hand_on, name="hand_on"),
    path("<slug:code>/reset/", kept.reset, name="reset"),
    path("<slug:code>/merge/", kept.merge, name="merge"),
    path("<slug:code>/unmerge/", kept.unmerge, name="unmerge"),
    path("<slug:code>/forget/", kept.forget, name="forget"),
]

# /invitations/
invitation_urls = [
    path("", kept.invitations, name="invitations"),
    path("<int:pk>/", kept.show_pass, name="pass"),
    path("<int:pk>/revoke/", kept.revoke, name="revoke"),
]

urlpatterns = [
    path("log-in/", door.log_in, name="log_in"),
    path("log-in/forgotten/", door.forgotten, name="forgotten"),
    path("log-out/", door.log_out, name="log_out"),
    path("sign-up/", door.sign_up, name="sign_up"),
    path("first/", door.first_owner, name="first"),
    path("me/", include(me_urls)),
    path("people/", include(people_urls)),
    path("invitations/", include(invitation_urls)),
    # A token stands in an address only until it is opened; the clean addresses carry none.
    path("p/<str:token>", links.open_link, name="open_link"),
    path("p/", links.link, name="link"),
    path("i/<str:token>", links.open_pass, name="open_pass"),
    path("invitation/<int:pk>/", links.taking, name="taking"),
    path("invitation/<int:pk>/by-name/", links.taking_by_name, name="taking_by_name"),
]
