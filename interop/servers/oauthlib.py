"""An OAuth 1.0a server on oauthlib, for one application and one user, who consents to everything. Prints its port. Ends with its standard input."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

from oauthlib.oauth1 import RequestValidator, WebApplicationServer

SETTINGS = json.loads(sys.stdin.readline())
# Kept in memory: tokens and their secrets, verifiers by token, and what is used up.
REQUEST_TOKENS, ACCESS_TOKENS, VERIFIERS, NONCES = {}, {}, {}, set()


class Validator(RequestValidator):
    enforce_ssl = False
    client_key_length = 1, 100
    nonce_length = 8, 100
    dummy_client = "dummy-client"
    dummy_request_token = "dummy-request-token"
    dummy_access_token = "dummy-access-token"

    def validate_timestamp_and_nonce(self, client_key, timestamp, nonce, request, request_token=None, access_token=None):
        used = (timestamp, nonce, request_token, access_token)
        is_new = used not in NONCES
        NONCES.add(used)
        return is_new


def answer(**methods):
    for name, method in methods.items():
        setattr(Validator, name, lambda _self, *arguments, method=method, **_options: method(*arguments))


answer(
    validate_realms=lambda *_: True,
    validate_requested_realms=lambda *_: True,
    get_realms=lambda *_: [],
    get_default_realms=lambda *_: [],
    validate_client_key=lambda key, _request: key == SETTINGS["key"],
    get_client_secret=lambda _key, _request: SETTINGS["secret"],
    validate_redirect_uri=lambda _key, uri, _request: uri == SETTINGS["callback"],
    get_redirect_uri=lambda _token, _request: SETTINGS["callback"],
    save_request_token=lambda token, _request: REQUEST_TOKENS.update({token["oauth_token"]: token}),
    verify_request_token=lambda token, _request: token in REQUEST_TOKENS,
    validate_request_token=lambda _key, token, _request: token in REQUEST_TOKENS,
    get_request_token_secret=lambda _key, token, _request: REQUEST_TOKENS[token]["oauth_token_secret"],
    invalidate_request_token=lambda _key, token, _request: REQUEST_TOKENS.pop(token),
    save_verifier=lambda token, verifier, _request: VERIFIERS.update({token: verifier["oauth_verifier"]}),
    validate_verifier=lambda _key, token, verifier, _request: VERIFIERS.get(token) == verifier,
    save_access_token=lambda token, _request: ACCESS_TOKENS.update({token["oauth_token"]: token}),
    validate_access_token=lambda _key, token, _request: token in ACCESS_TOKENS,
    get_access_token_secret=lambda _key, token, _request: ACCESS_TOKENS[token]["oauth_token_secret"],
)
SERVER = WebApplicationServer(Validator())
ENDPOINTS = {
    "/authorize": SERVER.create_authorization_response,
    "/request_token": SERVER.create_request_token_response,
    "/access_token": SERVER.create_access_token_response,
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        uri = f"http://{self.headers['host']}{self.path}"
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        request = uri, self.command, body, dict(self.headers)
        endpoint = ENDPOINTS.get(urlsplit(self.path).path)
        if endpoint:
            self.reply(*endpoint(*request))
            return
        is_valid, _request = SERVER.validate_protected_resource_request(*request)
        errors = {"errors": [{"code": 32, "message": "Could not authenticate you."}]}
        content = json.dumps(SETTINGS["record"] if is_valid else errors)
        self.reply({"Content-Type": "application/json"}, content, 200 if is_valid else 401)

    do_POST = do_GET

    def reply(self, headers, body, status):
        content = (body or "").encode()
        self.send_response(status)
        # A form without its length may have been cut short, and is refused.
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
