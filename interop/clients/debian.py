"""Logs in with a Python package of Debian: `debian.py <package> <flow>`. Reads its settings as JSON, prints the user's ID or the error as JSON."""

import importlib
import json
import re
import sys
from urllib.parse import parse_qsl, urlsplit

import requests
import urllib3.util.connection

SETTINGS = json.load(sys.stdin)
CALLBACK = SETTINGS["callback"]

connect = urllib3.util.connection.create_connection


def lead(_address, *arguments, **options):
    """Only the connection goes to the relay: request, signature and certificate are for the network's host."""
    return connect(("127.0.0.1", SETTINGS["port"]), *arguments, **options)


urllib3.util.connection.create_connection = lead


def consent(url):
    """The redirect URI with the authorization response; the PIN for an application without one."""
    response = requests.get(url, params=SETTINGS["consent"], allow_redirects=False)
    pin = re.search(r"\b\d{7}\b", response.text)
    if "location" not in response.headers and pin is None:
        raise RuntimeError(f"HTTP {response.status_code}")
    return response.headers.get("location") or pin.group()


def parameters(url):
    return dict(parse_qsl(urlsplit(url).query))


def credentials(name):
    return SETTINGS[name]["id"], SETTINGS[name].get("secret")


PKCE = {"code_challenge": SETTINGS["challenge"], "code_challenge_method": "S256"}
VERIFIER = {"code_verifier": SETTINGS["verifier"]}
TIKTOK = {"client_key": SETTINGS["tiktok"]["id"]}


def get(session, url, **parameters):
    return session.get(url, params=parameters).json()


# OAuth 2.0: the application, its scope, the URLs, and the user's ID from a session that can request it.
NETWORKS = {
    "TikTok": (
        "tiktok",
        ["user.info.basic"],
        "https://www.tiktok.com/v2/auth/authorize/",
        "https://open.tiktokapis.com/v2/oauth/token/",
        lambda session: get(
            session, "https://open.tiktokapis.com/v2/user/info/", fields="open_id,avatar_url,display_name"
        )["data"]["user"]["open_id"],
    ),
    "X 2.0": (
        "x",
        ["tweet.read", "users.read"],
        "https://x.com/i/oauth2/authorize",
        "https://api.x.com/2/oauth2/token",
        lambda session: get(session, "https://api.x.com/2/users/me")["data"]["id"],
    ),
    "VK": (
        "vk",
        ["email"],
        "https://oauth.vk.ru/authorize",
        "https://oauth.vk.ru/access_token",
        lambda session: get(session, "https://api.vk.ru/method/users.get", v="5.199")["response"][0]["id"],
    ),
    "VK ID": (
        "vkId",
        ["vkid.personal_info", "email"],
        "https://id.vk.ru/authorize",
        "https://id.vk.ru/oauth2/auth",
        lambda session: session.post(
            "https://id.vk.ru/oauth2/user_info", data={"client_id": SETTINGS["vkId"]["id"]}
        ).json()["user"]["user_id"],
    ),
}


def device(flow, response):
    return {"device_id": parameters(response)["device_id"]} if flow == "VK ID" else {}


# tweepy


def tweepy_x2():
    import tweepy

    key, secret = credentials("x")
    handler = tweepy.OAuth2UserHandler(
        client_id=key, client_secret=secret, redirect_uri=CALLBACK, scope=["tweet.read", "users.read"]
    )
    tokens = handler.fetch_token(consent(handler.get_authorization_url()))
    return tweepy.Client(tokens["access_token"]).get_me(user_auth=False).data.id


def tweepy_x1(callback=CALLBACK):
    import tweepy

    handler = tweepy.OAuth1UserHandler(*credentials("xConsumer"), callback=callback)
    url = handler.get_authorization_url()
    verifier = consent(url) if callback == "oob" else parameters(consent(url))["oauth_verifier"]
    handler.get_access_token(verifier)
    return tweepy.API(handler).verify_credentials().id_str


# requests-oauthlib


def requests_x1():
    from requests_oauthlib import OAuth1Session

    key, secret = credentials("xConsumer")
    start = OAuth1Session(key, client_secret=secret, callback_uri=CALLBACK)
    token = start.fetch_request_token("https://api.x.com/oauth/request_token")
    response = consent(start.authorization_url("https://api.x.com/oauth/authorize"))
    start.parse_authorization_response(response)
    end = OAuth1Session(
        key,
        client_secret=secret,
        resource_owner_key=token["oauth_token"],
        resource_owner_secret=token["oauth_token_secret"],
        verifier=parameters(response)["oauth_verifier"],
    )
    tokens = end.fetch_access_token("https://api.x.com/oauth/access_token")
    session = OAuth1Session(key, secret, tokens["oauth_token"], tokens["oauth_token_secret"])
    return session.get("https://api.x.com/1.1/account/verify_credentials.json").json()["id_str"]


def requests_oauth2(flow):
    from requests.auth import HTTPBasicAuth
    from requests_oauthlib import OAuth2Session

    application, scope, authorize, token, user = NETWORKS[flow]
    key, secret = credentials(application)
    start, end = {
        "TikTok": (TIKTOK, {**TIKTOK, "client_secret": secret, "include_client_id": True}),
        "X 2.0": (PKCE, {**VERIFIER, "auth": HTTPBasicAuth(key, secret)}),
        "VK": ({}, {"client_secret": secret, "include_client_id": True}),
        "VK ID": (PKCE, {**VERIFIER, "include_client_id": True}),
    }[flow]
    session = OAuth2Session(key, redirect_uri=CALLBACK, scope=scope, state=SETTINGS["state"])
    url, _state = session.authorization_url(authorize, **start)
    response = consent(url)
    session.fetch_token(token, authorization_response=response, **end, **device(flow, response))
    return user(session)


# authlib


def authlib_x1():
    from authlib.integrations.requests_client import OAuth1Session

    session = OAuth1Session(*credentials("xConsumer"), redirect_uri=CALLBACK)
    session.fetch_request_token("https://api.x.com/oauth/request_token")
    session.parse_authorization_response(
        consent(session.create_authorization_url("https://api.x.com/oauth/authenticate"))
    )
    session.fetch_access_token("https://api.x.com/oauth/access_token")
    return session.get("https://api.x.com/1.1/account/verify_credentials.json").json()["id_str"]


def authlib_oauth2(flow):
    from authlib.integrations.requests_client import OAuth2Session

    application, scope, authorize, token, user = NETWORKS[flow]
    key, secret = credentials(application)
    options, both = {
        "TikTok": ({"client_secret": secret, "token_endpoint_auth_method": "client_secret_post"}, TIKTOK),
        "X 2.0": ({"client_secret": secret, "code_challenge_method": "S256"}, VERIFIER),
        "VK": ({"client_secret": secret, "token_endpoint_auth_method": "client_secret_post"}, {}),
        "VK ID": ({"token_endpoint_auth_method": "none", "code_challenge_method": "S256"}, VERIFIER),
    }[flow]
    session = OAuth2Session(client_id=key, redirect_uri=CALLBACK, scope=" ".join(scope), **options)
    url, state = session.create_authorization_url(authorize, **both)
    response = consent(url)
    session.fetch_token(token, authorization_response=response, state=state, **both, **device(flow, response))
    return user(session)


# social-auth-core


def social_core(module, name, application, **settings):
    from social_core.strategy import BaseStrategy

    backend_class = getattr(importlib.import_module(f"social_core.backends.{module}"), name)
    key, secret = credentials(application)
    found = {"SOCIAL_AUTH_KEY": key, "SOCIAL_AUTH_SECRET": secret, **settings}
    found["SOCIAL_AUTH_PIPELINE"] = (
        "social_core.pipeline.social_auth.social_details",
        "social_core.pipeline.social_auth.social_uid",
        f"{__name__}.keep_uid",
    )
    session = {}

    class Strategy(BaseStrategy):
        """What a web framework gives to social-auth-core."""

        def get_setting(self, name):
            return found[name]

        def request_data(self, merge=True):
            return session.get("request", {})

        def build_absolute_uri(self, path=None):
            return path

        def session_get(self, name, default=None):
            return session.get(name, default)

        def session_set(self, name, value):
            session[name] = value

        def session_pop(self, name):
            return session.pop(name, None)

    strategy = Strategy()
    start = backend_class(strategy, redirect_uri=CALLBACK)
    session["request"] = parameters(consent(start.auth_url()))
    end = backend_class(strategy, redirect_uri=CALLBACK)
    end.data = session["request"]
    end.auth_complete()
    return KEPT["uid"]


KEPT = {}


def keep_uid(uid, *_arguments, **_options):
    KEPT["uid"] = uid


LOGINS = {
    "python3-tweepy": {"X 2.0": tweepy_x2, "X 1.0a": tweepy_x1, "X 1.0a, PIN": lambda: tweepy_x1("oob")},
    "python3-requests-oauthlib": {"X 1.0a": requests_x1},
    "python3-authlib": {"X 1.0a": authlib_x1},
    "python3-social-auth-core": {
        "X 1.0a": lambda: social_core("twitter", "TwitterOAuth", "xConsumer"),
        "VK": lambda: social_core("vk", "VKOAuth2", "vk", SOCIAL_AUTH_VK_OAUTH2_SCOPE=["email"]),
    },
}
OAUTH2 = {"python3-requests-oauthlib": requests_oauth2, "python3-authlib": authlib_oauth2}

package, flow = sys.argv[1:]
login = LOGINS[package].get(flow) or (lambda: OAUTH2[package](flow))
try:
    print(json.dumps({"id": str(login())}))
except Exception as error:  # pylint: disable=broad-except
    print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
