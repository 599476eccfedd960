import { frame, literal } from "../edge/http/raw-h2.ts";
import { connectSealed, type SealedClient, singleBytes } from "../edge/sealed-records.ts";
import { loopbackAddress } from "./many-clients.ts";

/**
 * Clients that send their bytes in very many pieces, all at once on the first message. They are
 * ready with the first message that they send, and say with each further one how many are open.
 */
interface Attack {
  readonly port: number;
  readonly hostname: string;
  readonly ca: string;
  readonly connections: number;
  readonly pieces: number;
}

const connectionsPerAddress = 20;
const atOnce = 10;
const { port, hostname, ca, connections, pieces }: Attack = JSON.parse(process.argv[2] ?? "{}");

const none = Buffer.alloc(0);
const preface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(4, 0, 0, none),
]);
const fields = [
  [":method", "POST"],
  [":scheme", "https"],
  [":path", "/"],
  [":authority", hostname],
] as const;
const post = frame(1, 4, 1, Buffer.concat(fields.map(literal)));
const start = `GET / HTTP/1.1\r\nHost: ${hostname}\r\n`;

interface Kind {
  readonly protocol: "http/1.1" | "h2";
  /** Sent as usual. */
  readonly first: Buffer;
  readonly pieces: Iterable<Buffer>;
}

function repeat(piece: Buffer): readonly Buffer[] {
  return Array<Buffer>(pieces).fill(piece);
}

function kindOf(index: number): Kind {
  const head = Buffer.from(start + "a\r\n".repeat(pieces)).subarray(0, pieces);
  const kinds: readonly Kind[] = [
    { protocol: "http/1.1", first: none, pieces: singleBytes(head) },
    {
      protocol: "http/1.1",
      first: Buffer.from(`${start}Content-Length: 1000000\r\n\r\n`),
      pieces: repeat(Buffer.from("x")),
    },
    {
      protocol: "h2",
      first: preface,
      pieces: singleBytes(frame(0xbb, 0, 0, Buffer.alloc(pieces))),
    },
    {
      protocol: "h2",
      first: Buffer.concat([preface, post]),
      pieces: repeat(frame(0, 0, 1, Buffer.from("x"))),
    },
  ];
  return kinds[index % kinds.length] as Kind;
}

const ready: { readonly client: SealedClient; readonly first: Buffer; readonly rest: Buffer }[] =
  [];

async function prepare(index: number): Promise<void> {
  const { protocol, first, pieces: parts } = kindOf(index);
  const localAddress = loopbackAddress(Math.floor(index / connectionsPerAddress));
  const client = await connectSealed({ port, servername: hostname, ca, protocol, localAddress });
  client.secure.resume();
  const firstSealed = first.length === 0 ? none : await client.seal([first]);
  ready.push({ client, first: firstSealed, rest: await client.seal(parts) });
}

let next = 0;
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let index = next; index < connections; index = next) {
      next += 1;
      await prepare(index);
    }
  }),
);

process.once("message", () => {
  for (const { client, first, rest } of ready) {
    client.socket.write(Buffer.concat([first, rest]));
    client.socket.once("close", report);
  }
});

function report(): void {
  if (process.connected)
    process.send?.(ready.filter(({ client }) => !client.socket.destroyed).length);
}

// Ends with the test, also when the test crashes.
process.once("disconnect", () => process.exit(0));
report();
