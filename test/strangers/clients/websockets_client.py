"""websockets: argv is JSON with url and ca; prints what comes back."""
import asyncio
import json
import socket as sockets
import ssl
import sys

import websockets

case = json.loads(sys.argv[1])
resolve = sockets.getaddrinfo
sockets.getaddrinfo = lambda host, *rest, **named: resolve(
    "127.0.0.1" if host == case["hostname"] else host, *rest, **named
)


async def main():
    trust = ssl.create_default_context(cafile=case["ca"])
    try:
        async with websockets.connect(case["url"], ssl=trust) as socket:
            await socket.send("hello")
            print(await socket.recv())
    except Exception as error:
        print(f"failed: {type(error).__name__}")


asyncio.run(main())
