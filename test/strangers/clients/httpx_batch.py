"""httpx: arguments are the file of requests, the version, the base and the CA's file; a line for each."""
import hashlib
import socket
import sys
from urllib.parse import urlsplit

import httpx

file, version, base, ca = sys.argv[1:5]
host = urlsplit(base).hostname
resolve = socket.getaddrinfo
socket.getaddrinfo = lambda name, *rest, **named: resolve(
    "127.0.0.1" if name == host else name, *rest, **named
)

with httpx.Client(verify=ca, http2=version == "2", trust_env=False, timeout=60) as client:
    for line in open(file, encoding="utf-8"):
        method, target, size, *fields = line.rstrip("\n").split("\t")
        headers = dict(field.split(": ", 1) for field in fields)
        content = None if size == "-" else bytes(int(size))
        try:
            response = client.request(method, base + target, headers=headers, content=content)
            body = response.content
            print(response.status_code, len(body), hashlib.sha256(body).hexdigest()[:8])
        except httpx.HTTPError as error:
            print(f"failed: {type(error).__name__}")
