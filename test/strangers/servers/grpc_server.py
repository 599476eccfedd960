"""A gRPC server of grpcio without generated code: messages are bytes. Prints its port."""

import json
import sys
import threading
from concurrent import futures

import grpc

service = "/strangers.Echo/"
cancelled = {}
lock = threading.Lock()


def note_cancel(context):
    """Counts a call by its name when it ends before the handler is done."""
    name = dict(context.invocation_metadata()).get("x-call", "")
    done = threading.Event()

    def over():
        if not done.is_set():
            with lock:
                cancelled[name] = cancelled.get(name, 0) + 1
        done.set()

    context.add_callback(over)
    return done


def unary(request, context):
    metadata = dict(context.invocation_metadata())
    context.send_initial_metadata((("x-initial", metadata.get("x-sent", "")),))
    context.set_trailing_metadata((("x-trailing", "last"), ("x-bytes-bin", b"\x00\xff")))
    return request


def collect(requests, context):
    return b",".join(requests)


def repeat(request, context):
    for number in range(int(request)):
        yield str(number).encode()


def chat(requests, context):
    for request in requests:
        yield b"echo " + request


def code_named(request, usual):
    return grpc.StatusCode[request.decode()] if request else usual


def fail(request, context):
    """Without a message before it, the answer is trailers only."""
    context.abort(code_named(request, grpc.StatusCode.NOT_FOUND), "nothing here: 100 % \u00fc")


def late_fail(request, context):
    yield b"first"
    context.abort(code_named(request, grpc.StatusCode.DATA_LOSS), "after the first")


def wait(request, context):
    done = note_cancel(context)
    done.wait(30)
    return b""


def flood(request, context):
    chunk = b"x" * 65536
    done = note_cancel(context)
    for _ in range(int(request)):
        if done.is_set():
            return
        yield chunk
    done.set()


def cancellations(request, context):
    with lock:
        return str(cancelled.get(request.decode(), 0)).encode()


unary_unary = grpc.unary_unary_rpc_method_handler
methods = {
    "Unary": unary_unary(unary),
    "Collect": grpc.stream_unary_rpc_method_handler(collect),
    "Repeat": grpc.unary_stream_rpc_method_handler(repeat),
    "Chat": grpc.stream_stream_rpc_method_handler(chat),
    "Fail": unary_unary(fail),
    "LateFail": grpc.unary_stream_rpc_method_handler(late_fail),
    "Wait": unary_unary(wait),
    "Flood": grpc.unary_stream_rpc_method_handler(flood),
    "Cancellations": unary_unary(cancellations),
}


class Handler(grpc.GenericRpcHandler):
    def service(self, details):
        if not details.method.startswith(service):
            return None
        return methods.get(details.method[len(service):])


options = json.loads(sys.argv[1])
server = grpc.server(
    futures.ThreadPoolExecutor(max_workers=64),
    options=[("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0)],
)
server.add_generic_rpc_handlers((Handler(),))
if "cert" in options:
    with open(options["key"], "rb") as key, open(options["cert"], "rb") as cert:
        credentials = grpc.ssl_server_credentials(((key.read(), cert.read()),))
    port = server.add_secure_port("127.0.0.1:0", credentials)
else:
    port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(port, flush=True)
# The end of the input ends the server.
sys.stdin.read()
server.stop(None)
