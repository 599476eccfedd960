"""httpx: argv is JSON with url, ca, http2, method, headers and upload; prints the outcome."""
import json
import socket
import sys

import httpx

case = json.loads(sys.argv[1])
resolve = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **named: resolve(
    "127.0.0.1" if host == case["hostname"] else host, *rest, **named
)


def upload():
    for _ in range(64):
        yield b"x" * 16384


with httpx.Client(verify=case["ca"], http2=case["http2"], trust_env=False, timeout=20) as client:
    try:
        response = client.request(
            case["method"],
            case["url"],
            headers=case["headers"],
            content=upload() if case["upload"] else None,
        )
        print(f"{response.status_code} {response.text}".strip())
    except httpx.HTTPError as error:
        print(f"failed: {type(error).__name__}")
