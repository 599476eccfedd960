import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { clientHello, loopbackAddress } from "./many-clients.ts";

/**
 * Clients that send one byte a second: of the handshake, of the head of a request, and of its body.
 * One that the server closes comes back.
 */
interface SlowClients {
  readonly port: number;
  readonly hostname: string;
  readonly ca: string;
  readonly connections: number;
}

const { port, hostname, ca, connections }: SlowClients = JSON.parse(process.argv[2] ?? "{}");
const connectionsPerAddress = 20;
/** New clients in each tick of 100 ms, so that the edge is not flooded by handshakes. */
const perTick = 80;
const head = `POST / HTTP/1.1\r\nHost: ${hostname}\r\n`;

interface SlowClient {
  readonly socket: Socket;
  /** What is left to send; null until the handshake is complete. */
  rest: Buffer | null;
}

const open = new Map<number, SlowClient>();

/** Half of them never complete the handshake; the others are in a head or a body. */
function startClient(index: number): void {
  const localAddress = loopbackAddress(Math.floor(index / connectionsPerAddress));
  const plain = connectTcp({ host: "127.0.0.1", port, localAddress });
  plain.on("error", () => undefined);
  plain.once("close", () => open.delete(index));
  if (index % 2 === 0) {
    plain.resume();
    open.set(index, { socket: plain, rest: clientHello(hostname) });
    return;
  }
  const secure = connectTls({ socket: plain, servername: hostname, ca });
  secure.on("error", () => undefined).resume();
  const client: SlowClient = { socket: secure, rest: null };
  open.set(index, client);
  secure.once("secureConnect", () => {
    if (index % 4 === 1) client.rest = Buffer.from(`${head}X-Slow: ${"s".repeat(1_000)}`);
    else {
      secure.write(`${head}Content-Length: 1000000\r\n\r\n`);
      client.rest = Buffer.alloc(1_000, "b");
    }
  });
}

setInterval(() => {
  for (let index = 0, started = 0; index < connections && started < perTick; index += 1) {
    if (open.has(index)) continue;
    startClient(index);
    started += 1;
  }
}, 100);

setInterval(() => {
  for (const client of open.values()) {
    if (client.rest === null || client.rest.length === 0 || !client.socket.writable) continue;
    client.socket.write(client.rest.subarray(0, 1));
    client.rest = client.rest.subarray(1);
  }
}, 1_000);

// Ends with the test, also when the test crashes.
process.once("disconnect", () => process.exit(0));
