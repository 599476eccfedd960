"""Makes one kind of call with grpcio and prints what it sees."""

import hashlib
import json
import queue
import sys
import time

import grpc

options = json.loads(sys.argv[1])
with open(options["ca"], "rb") as ca:
    credentials = grpc.ssl_channel_credentials(ca.read())
channel = grpc.secure_channel(
    f"127.0.0.1:{options['port']}",
    credentials,
    options=[
        ("grpc.ssl_target_name_override", options["hostname"]),
        ("grpc.max_receive_message_length", -1),
        ("grpc.enable_http_proxy", 0),
    ],
)
service = "/strangers.Echo/"
limit = 60


def unary(method):
    return channel.unary_unary(service + method)


def a_unary_call():
    answer, call = unary("Unary").with_call(
        b"hello", timeout=limit, metadata=(("x-sent", "m"), ("x-raw-bin", b"\x01"))
    )
    initial = dict(call.initial_metadata()).get("x-initial")
    trailing = dict(call.trailing_metadata())
    return f"{answer.decode()} {initial} {trailing.get('x-trailing')} {trailing.get('x-bytes-bin')}"


def client_streaming():
    collect = channel.stream_unary(service + "Collect")
    return collect((str(n).encode() for n in range(5)), timeout=limit).decode()


def server_streaming():
    repeat = channel.unary_stream(service + "Repeat")
    return b",".join(repeat(b"5", timeout=limit)).decode()


def bidirectional():
    """Each message is sent after the answer to the one before."""
    sent = queue.Queue()
    call = channel.stream_stream(service + "Chat")(iter(sent.get, None), timeout=limit)
    seen = []
    for number in range(3):
        sent.put(str(number).encode())
        seen.append(next(call).decode())
    sent.put(None)
    return ", ".join(seen + [answer.decode() for answer in call])


def status_of(work):
    try:
        work()
    except grpc.RpcError as error:
        return f"{error.code().name}: {error.details()}"
    return "OK"


def only_trailers():
    return status_of(lambda: unary("Fail")(b"", timeout=limit))


def late_status():
    seen = []

    def work():
        for answer in channel.unary_stream(service + "LateFail")(b"", timeout=limit):
            seen.append(answer.decode())

    status = status_of(work)
    return f"{' '.join(seen)}, {status}"


def unknown_method():
    return status_of(lambda: unary("Nothing")(b"", timeout=limit))


def noticed(name):
    """Whether the server learned of the end of the call, within half a minute."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if unary("Cancellations")(name.encode(), timeout=limit) == b"1":
            return "the server noticed"
        time.sleep(0.02)
    return "the server did not notice"


def deadline():
    name = f"deadline {time.time()}"
    # On a connection that is there: the call must reach the server before its deadline.
    unary("Unary")(b"", timeout=limit)
    work = lambda: unary("Wait")(b"", timeout=3, metadata=(("x-call", name),))
    return f"{status_of(work).split(':')[0]}, {noticed(name)}"


def cancellation():
    name = f"cancel {time.time()}"
    call = channel.unary_stream(service + "Flood")(b"100000", metadata=(("x-call", name),))
    next(call)
    call.cancel()
    return f"{status_of(lambda: list(call)).split(':')[0]}, {noticed(name)}"


def large_messages():
    body = bytes(range(256)) * 32768
    answer = unary("Unary")(body, timeout=limit * 2)
    same = hashlib.sha256(answer).digest() == hashlib.sha256(body).digest()
    return f"{len(answer)} bytes, {'the same' if same else 'others'}"


def many_calls():
    calls = [unary("Unary").future(str(n).encode(), timeout=60) for n in range(options["calls"])]
    good = sum(1 for n, call in enumerate(calls) if call.result() == str(n).encode())
    return f"{good} of {len(calls)}"


def refused():
    """Of the edge's own making: the code, and whether there is a message."""
    try:
        unary("Unary")(b"", timeout=limit)
    except grpc.RpcError as error:
        page = "html" in (error.details() or "")
        return f"{error.code().name}{', a page' if page else ''}: {error.details()}"
    return "OK"


def chat(count):
    call = channel.stream_stream(service + "Chat")
    answers = list(call((str(n).encode() for n in range(count)), timeout=limit))
    return f"{len(answers)} {answers[-1].decode() if answers else ''}"


def with_metadata(*fields):
    answer, call = unary("Unary").with_call(b"m", timeout=limit, metadata=fields)
    initial = dict(call.initial_metadata()).get("x-initial")
    return f"{answer.decode()} {len(initial or '')}"


def echo(size):
    body = b"z" * size
    return f"{unary('Unary')(body, timeout=limit) == body}"


def late(code):
    seen = []

    def work():
        seen.extend(channel.unary_stream(service + "LateFail")(code.encode(), timeout=limit))

    return f"{status_of(work)} after {len(seen)}"


def matrix():
    """Sixty calls and more on one connection, a line for each."""
    codes = [code.name for code in grpc.StatusCode if code != grpc.StatusCode.OK]
    repeat = channel.unary_stream(service + "Repeat")
    collect = channel.stream_unary(service + "Collect")
    numbers = lambda count: (str(n).encode() for n in range(count))
    cases = [
        *((f"status {code}", lambda code=code: status_of(lambda: unary("Fail")(code.encode(), timeout=limit))) for code in codes),
        *((f"late status {code}", lambda code=code: late(code)) for code in codes),
        *((f"a message of {size} bytes", lambda size=size: echo(size)) for size in (0, 1, 5, 16383, 16384, 16385, 65535, 65536, 1 << 20, 4 << 20)),
        *((f"{count} messages of the server", lambda count=count: str(len(list(repeat(str(count).encode(), timeout=limit))))) for count in (0, 1, 2, 10, 100, 1000)),
        *((f"{count} messages of the client", lambda count=count: str(len(collect(numbers(count), timeout=limit)))) for count in (0, 1, 2, 10, 100, 1000)),
        *((f"{count} messages both ways", lambda count=count: chat(count)) for count in (1, 2, 10, 50)),
        *((f"metadata of {size} characters", lambda size=size: with_metadata(("x-sent", "s" * size))) for size in (1, 100, 4000)),
        *((f"binary metadata of {size} bytes", lambda size=size: with_metadata(("x-raw-bin", bytes(size)))) for size in (1, 100, 3000)),
    ]
    lines = []
    for name, work in cases:
        try:
            outcome = work()
        except grpc.RpcError as error:
            outcome = f"failed: {error.code().name}"
        lines.append(f"{name}\t{outcome}")
    return "\n".join(lines)


print(globals()[options["case"]]())
