"""HTTP/3 by aioquic: takes requests as lines of JSON, and prints what happens as lines of JSON."""
import asyncio
import json
import sys
from dataclasses import replace

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted, StreamReset

case = json.loads(sys.argv[1])
tickets = []


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = H3Connection(self._quic)

    def quic_event_received(self, event):
        if isinstance(event, HandshakeCompleted):
            say("opened", resumed=event.session_resumed, early=event.early_data_accepted)
        if isinstance(event, ConnectionTerminated):
            say("closed", code=event.error_code)
        if isinstance(event, StreamReset):
            say("reset", stream=event.stream_id)
        for found in self.http.handle_event(event):
            if isinstance(found, HeadersReceived):
                head = {name.decode(): value.decode() for name, value in found.headers}
                say("head", stream=found.stream_id, head=head)
            if isinstance(found, DataReceived):
                say("data", stream=found.stream_id, data=found.data.decode("latin-1"))
            if isinstance(found, (HeadersReceived, DataReceived)) and found.stream_ended:
                say("end", stream=found.stream_id)

    def ask(self, request):
        stream = self._quic.get_next_available_stream_id()
        say("asked", stream=stream)
        fields = {
            ":method": request.get("method", "GET"),
            ":scheme": "https",
            ":authority": request.get("authority", case["hostname"]),
            ":path": request["path"],
            **request.get("fields", {}),
        }
        body = request.get("body")
        lines = [(name.encode(), value.encode()) for name, value in fields.items()]
        self.http.send_headers(stream, lines, end_stream=body is None)
        if body is not None:
            self.http.send_data(stream, body.encode(), end_stream=True)
        self.transmit()


async def visit(hostname, ticket, requests):
    configuration = QuicConfiguration(
        is_client=True, alpn_protocols=H3_ALPN, server_name=hostname, session_ticket=ticket
    )
    configuration.load_verify_locations(case["ca"])
    async with connect(
        "127.0.0.1",
        case["port"],
        configuration=configuration,
        create_protocol=Client,
        session_ticket_handler=tickets.append,
    ) as client:
        loop = asyncio.get_running_loop()
        async for request in requests(loop):
            client.ask(request)


async def typed(loop):
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        yield json.loads(line)


async def one(loop):
    """A ticket comes with, or soon after, the end of the handshake."""
    yield {"path": "/"}
    await asyncio.sleep(0.5)


async def main():
    if "resume" not in case:
        await visit(case["hostname"], None, typed)
        return
    await visit(case["hostname"], None, one)
    say("tickets", sizes=[ticket.max_early_data_size for ticket in tickets])
    for ticket in list(tickets):
        for hostname in case["resume"]:
            case["hostname"] = hostname
            # aioquic would not send it to another name.
            await visit(hostname, replace(ticket, server_name=hostname), one)


try:
    asyncio.run(main())
except ConnectionError as error:
    say("refused", why=str(error))
