"""An OAuth 1.0a server on oauthlib, for one application and one user, who consents to everything. Prints its port. Ends with its standard input."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

from oauthlib.oauth1 import RequestValidator, WebApplicationServer

SETTINGS = json.loads(sys.stdin.readline())


class Validator(RequestValidator):
    """What the server keeps, in memory."""

    enforce_ssl = False
    client_key_length = 1, 100
    nonce_length = 8, 100

    def __init__(self):
        super().__init__()
        self.request_tokens = {}
        self.access_tokens = {}
        self.verifiers = {}
        self.nonces = set()

    dummy_client = "dummy-client"
    dummy_request_token = "dummy-request-token"
    dummy_access_token = "dummy-access-token"

    def validate_realms(self, *_arguments, **_options):
        return True

    def get_realms(self, *_arguments):
        return []

    validate_requested_realms = validate_realms
    get_default_realms = get_realms

    def validate_client_key(self, client_key, request):
        return client_key == SETTINGS["key"]

    def get_client_secret(self, client_key, request):
        return SETTINGS["secret"]

    def validate_timestamp_and_nonce(self, client_key, timestamp, nonce, request, request_token=None, access_token=None):
        used = (timestamp, nonce, request_token, access_token)
        is_new = used not in self.nonces
        self.nonces.add(used)
        return is_new

    def validate_redirect_uri(self, client_key, redirect_uri, request):
        return redirect_uri == SETTINGS["callback"]

    def save_request_token(self, token, request):
        self.request_tokens[token["oauth_token"]] = token

    def get_redirect_uri(self, token, request):
        return SETTINGS["callback"]

    def save_verifier(self, token, verifier, request):
        self.verifiers[token] = verifier["oauth_verifier"]

    def verify_request_token(self, token, _request):
        return token in self.request_tokens

    def validate_request_token(self, _client_key, token, _request):
        return token in self.request_tokens

    def get_request_token_secret(self, client_key, token, request):
        return self.request_tokens[token]["oauth_token_secret"]

    def validate_verifier(self, client_key, token, verifier, request):
        return self.verifiers.get(token) == verifier

    def invalidate_request_token(self, client_key, request_token, request):
        del self.request_tokens[request_token]

    def save_access_token(self, token, request):
        self.access_tokens[token["oauth_token"]] = token

    def validate_access_token(self, client_key, token, request):
        return token in self.access_tokens

    def get_access_token_secret(self, client_key, token, request):
        return self.access_tokens[token]["oauth_token_secret"]


SERVER = WebApplicationServer(Validator())


class Handler(BaseHTTPRequestHandler):
    """The four endpoints."""

    def do_GET(self):
        if urlsplit(self.path).path == "/authorize":
            self.reply(*SERVER.create_authorization_response(self.uri(), "GET", "", dict(self.headers)))
            return
        is_valid, _request = SERVER.validate_protected_resource_request(self.uri(), "GET", "", dict(self.headers))
        headers = {"Content-Type": "application/json"}
        if is_valid:
            self.reply(headers, json.dumps(SETTINGS["record"]), 200)
        else:
            self.reply(headers, json.dumps({"errors": [{"code": 32, "message": "Could not authenticate you."}]}), 401)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        endpoint = {
            "/request_token": SERVER.create_request_token_response,
            "/access_token": SERVER.create_access_token_response,
        }[urlsplit(self.path).path]
        self.reply(*endpoint(self.uri(), "POST", body, dict(self.headers)))

    def uri(self):
        return f"http://{self.headers['host']}{self.path}"

    def reply(self, headers, body, status):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        content = (body or "").encode()
        # A form without its length may have been cut short, and is refused.
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
