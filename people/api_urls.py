# /api/v1/
from django.urls import path

from people import api
from people import api as guests_api
from people.accounts import api as accounts_api
from people.api_tokens import api as passes_api
from people.api_tokens import api as tokens_api

urlpatterns = [
    path("log-in/", tokens_api.LogIn.as_view()),
    path("log-out/", tokens_api.LogOut.as_view()),
    path("sign-up/", tokens_api.SignUp.as_view()),
    path("first-owner/", tokens_api.FirstOwner.as_view()),
    path("forgotten-password/", tokens_api.ForgottenPassword.as_view()),
    path("tokens/", tokens_api.TokenList.as_view()),
    path("tokens/<int:pk>/", tokens_api.TokenDetail.as_view()),
    path("me/", api.MeView.as_view()),
    path("me/account/", accounts_api.CreateOwnAccount.as_view()),
    path("me/password/", accounts_api.ChangePassword.as_view()),
    path("me/mail/", accounts_api.MailView.as_view()),
    path("me/help/", accounts_api.ResetHelpView.as_view()),
    path("me/link/", accounts_api.MyLink.as_view()),
    path("me/log-ins/", accounts_api.LogInList.as_view()),
    path("me/log-ins/<int:pk>/", accounts_api.LogInDetail.as_view()),
    path("me/data/", accounts_api.MyData.as_view()),
    path("me/forget/", accounts_api.ForgetMe.as_view()),
    path("people/", api.PeopleView.as_view()),
    path("people/<slug:code>/", api.PersonView.as_view()),
    path("people/<slug:code>/link/", guests_api.PersonalLinkOf.as_view()),
    path("people/<slug:code>/claim/", guests_api.ClaimLink.as_view()),
    path("people/<slug:code>/hand-on/", guests_api.TakeoverLink.as_view()),
    path("people/<slug:code>/reset/", guests_api.ResetLink.as_view()),
    path("people/<slug:code>/merge/", guests_api.Merge.as_view()),
    path("people/<slug:code>/unmerge/", guests_api.Unmerge.as_view()),
    path("people/<slug:code>/forget/", guests_api.Forget.as_view()),
    path("passes/", api.PassesView.as_view()),
    path("passes/<int:pk>/", api.PassView.as_view()),
    path("passes/<int:pk>/revoke/", api.RevokePassView.as_view()),
    path("links/look/", passes_api.LookAtLink.as_view()),
    path("links/accept/", passes_api.AcceptLink.as_view()),
]
