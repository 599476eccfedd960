"""A WebSocket over HTTP/2 (RFC 8441) by python-h2 and the frames of websockets; prints what comes back."""
import json
import socket as sockets
import ssl
import sys

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RemoteSettingsChanged, ResponseReceived, StreamReset
from h2.settings import SettingCodes
from websockets.frames import OP_TEXT, Frame
from websockets.streams import StreamReader

case = json.loads(sys.argv[1])
trust = ssl.create_default_context(cafile=case["ca"])
trust.set_alpn_protocols(["h2"])
plain = sockets.create_connection(("127.0.0.1", case["port"]), timeout=60)
secure = trust.wrap_socket(plain, server_hostname=case["hostname"])
# The check of headers is for HTTP/2 without extended CONNECT.
connection = H2Connection(H2Configuration(client_side=True, validate_outbound_headers=False))
connection.initiate_connection()
secure.sendall(connection.data_to_send())
frames = StreamReader()


def events():
    """The events of the next bytes; none at the end of the connection."""
    received = secure.recv(65536)
    if not received:
        return None
    found = connection.receive_data(received)
    secure.sendall(connection.data_to_send())
    return found


def offered():
    while True:
        found = events()
        if found is None:
            return False
        for event in found:
            if isinstance(event, RemoteSettingsChanged):
                setting = event.changed_settings.get(SettingCodes.ENABLE_CONNECT_PROTOCOL)
                return setting is not None and setting.new_value == 1


def echo():
    stream = connection.get_next_available_stream_id()
    connection.send_headers(
        stream,
        [
            (":method", "CONNECT"),
            (":protocol", "websocket"),
            (":scheme", "https"),
            (":path", "/chat"),
            (":authority", f"{case['hostname']}:{case['port']}"),
            ("sec-websocket-version", "13"),
        ],
    )
    connection.send_data(stream, Frame(OP_TEXT, b"hello").serialize(mask=True))
    secure.sendall(connection.data_to_send())
    parser = Frame.parse(frames.read_exact, mask=False)
    status = ""
    while True:
        found = events()
        if found is None:
            return f"{status} closed"
        for event in found:
            if isinstance(event, ResponseReceived):
                status = dict(event.headers)[b":status"].decode()
            elif isinstance(event, StreamReset):
                return f"{status} reset"
            elif isinstance(event, DataReceived):
                frames.feed_data(event.data)
                try:
                    next(parser)
                except StopIteration as parsed:
                    return f"{status} {parsed.value.data.decode()}"


print(echo() if offered() else "not offered")
