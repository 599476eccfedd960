"""A Django project in one file: `python3 app.py runserver 3000`."""

import hashlib
import hmac
import json
import os
import sys
import time
import urllib.request
from pathlib import Path

import jwt
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

base_url = os.environ["MOORING_URL"]
api_key = os.environ["MOORING_API_KEY"]
application_id = os.environ["MOORING_APP"]
webhook_secret = os.environ["MOORING_WEBHOOK_SECRET"]

# Stands in for a model of yours: your customers' domains, by the connection's id.
domains = {}


# region origin
keys = jwt.PyJWKClient(f"{base_url}/.well-known/jwks.json")


def verify_assertion(token):
    if jwt.get_unverified_header(token).get("typ") != "svc-assertion+jwt":
        raise jwt.InvalidTokenError("this is another kind of token")
    return jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=["EdDSA"],
        audience=application_id,
        issuer=base_url,
        leeway=30,
        options={"require": ["exp", "iat", "aud", "iss", "host"]},
    )


class CustomerSites:
    """A request through the edge carries its assertion. Any other is for your own site."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        assertion = request.headers.get("x-svc-assertion")
        if assertion is None:
            return self.get_response(request)
        try:
            visited = verify_assertion(assertion)
        except jwt.PyJWTError:
            return HttpResponse("Forbidden\n", status=403, content_type="text/plain")
        if visited.get("cus") is None:
            return HttpResponse("Not found\n", status=404, content_type="text/plain")
        page = f"{visited['host']} is the shop of {visited['cus']}\n"
        return HttpResponse(page, content_type="text/plain")
# end region


# region token
@require_GET
@never_cache
def svc_token(request):
    customer = signed_in_customer(request)
    if customer is None:
        return HttpResponse("Sign in first\n", status=401, content_type="text/plain")
    wanted = urllib.request.Request(
        f"{base_url}/v1/tokens",
        json.dumps({"application_id": application_id, "customer_ref": customer}).encode(),
        {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(wanted, timeout=10) as answer:
        token = json.load(answer)["auth_token"]
    return JsonResponse({"baseUrl": base_url, "applicationId": application_id, "token": token})


def signed_in_customer(request):
    """Replace it with `request.user`. Never take the customer from the request's own words."""
    return os.environ.get("DEMO_CUSTOMER")
# end region


# region webhook
def verify_webhook(body, headers):
    timestamp = headers.get("x-svc-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        raise ValueError("the delivery is too old, or has no timestamp")
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(webhook_secret.encode(), signed, hashlib.sha256).hexdigest()
    # For 24 hours after a rotation the old secret signs too.
    names = ("x-svc-signature", "x-svc-signature-previous")
    signatures = [headers.get(name, "").encode() for name in names]
    if not any(hmac.compare_digest(expected.encode(), one) for one in signatures):
        raise ValueError("the signature does not match")
    return json.loads(body)


@csrf_exempt
@require_POST
def webhooks(request):
    try:
        event = verify_webhook(request.body, request.headers)
    except ValueError:
        return HttpResponse("Bad request\n", status=400, content_type="text/plain")
    connection = event["data"].get("connection")
    # Events may arrive twice and out of order.
    if connection and event["sequence"] > domains.get(connection["id"], {}).get("sequence", 0):
        domains[connection["id"]] = {
            "customer": connection["customer_ref"],
            "state": connection["state"],
            "sequence": event["sequence"],
        }
    return HttpResponse(status=204)
# end region


@require_GET
def settings_page(request):
    return HttpResponse((Path(__file__).resolve().parent.parent / "settings.html").read_text())


urlpatterns = [
    path("svc-token", svc_token),
    path("webhooks", webhooks),
    path("settings", settings_page),
]

if __name__ == "__main__":
    settings.configure(
        SECRET_KEY=os.environ.get("DJANGO_SECRET_KEY", os.urandom(32).hex()),
        # Customers bring hostnames of their own; the assertion says which are theirs.
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF=__name__,
        MIDDLEWARE=[
            f"{__name__}.CustomerSites",
            "django.middleware.security.SecurityMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
        ],
    )
    execute_from_command_line(sys.argv)
