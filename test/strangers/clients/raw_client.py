"""Python's ssl: argv is JSON with port, ca and bytes; prints the status of each answer."""
import json
import re
import socket
import ssl
import sys

case = json.loads(sys.argv[1])
trust = ssl.create_default_context(cafile=case["ca"])
with socket.create_connection(("127.0.0.1", case["port"]), timeout=60) as plain:
    with trust.wrap_socket(plain, server_hostname=case["hostname"]) as secure:
        secure.sendall(case["bytes"].encode("latin1"))
        answer = b""
        try:
            while chunk := secure.recv(65536):
                answer += chunk
        except OSError:
            pass
print(" ".join(re.findall(r"HTTP/1\.[01] (\d{3}) ", answer.decode("latin1"))) or "closed")
