import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { encode, type Question } from "dns-packet";

/** Missing in the types of the library. */
const any = "ANY" as Question["type"];

/**
 * Packets for a name server of the zone, each a changed, cut or padded question: malformed names,
 * compression loops, wrong lengths, ANY, AXFR, other zones. The same ones in each run.
 */
export function hostilePackets(zone: string): () => Buffer {
  const question = (name: string, type: Question["type"]): Buffer =>
    encode({ type: "query", id: 4_711, flags: 0, questions: [{ name, type, class: "IN" }] });
  const seeds = [
    question(`order.${zone}`, "TXT"),
    question(zone, any),
    question(zone, "AXFR"),
    question("elsewhere.example", "A"),
    Buffer.from("00010000000100000000000001610161c00cc00e0010", "hex"),
  ];
  const random = lcg(42);
  return () => hostile(seeds[random(seeds.length)] ?? Buffer.alloc(0), random);
}

function hostile(seed: Buffer, random: (below: number) => number): Buffer {
  const cut = random(4) === 0 ? random(seed.length + 1) : seed.length;
  const packet = Buffer.from(seed.subarray(0, cut));
  const changes = random(6);
  for (let index = 0; index < changes && packet.length > 0; index += 1) {
    packet[random(packet.length)] = random(256);
  }
  return random(8) === 0 ? Buffer.concat([packet, Buffer.alloc(random(600), random(256))]) : packet;
}

function lcg(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface FloodOptions {
  readonly zone: string;
  readonly port: number;
  /** The servers, in order. */
  readonly addresses: readonly string[];
  /** At least so many; they continue until `hasEnded`. */
  readonly packets: number;
  readonly perSecond: number;
  readonly hasEnded: () => boolean;
}

/** Networks of 256 addresses from which the packets come. */
const networks = 64;
const pauseMs = 10;

/**
 * Sends the packets from many networks of the loopback; resolves with how many a second were sent.
 */
export async function flood(options: FloodOptions): Promise<number> {
  const { zone, port, addresses, packets, perSecond, hasEnded } = options;
  const sockets = await Promise.all(
    Array.from({ length: networks }, (_, at) => open(`127.77.${at}.1`)),
  );
  const next = hostilePackets(zone);
  const startedAt = performance.now();
  let sent = 0;
  try {
    while (sent < packets || !hasEnded()) {
      const elapsedMs = performance.now() - startedAt;
      const due = Math.ceil((elapsedMs / 1_000) * perSecond);
      const burst: Promise<void>[] = [];
      for (; sent < due; sent += 1) {
        const socket = sockets[sent % networks];
        const address = addresses[sent % addresses.length] ?? "";
        if (socket) burst.push(send(socket, next(), port, address));
      }
      await Promise.all(burst);
      await delay(pauseMs);
    }
    return Math.round((sent * 1_000) / (performance.now() - startedAt));
  } finally {
    for (const socket of sockets) socket.close();
  }
}

async function open(address: string): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, address);
  await once(socket, "listening");
  return socket;
}

/** A full buffer of the kernel loses a datagram, as a network does. */
function send(socket: Socket, packet: Buffer, port: number, address: string): Promise<void> {
  return new Promise((resolve) => socket.send(packet, port, address, () => resolve()));
}
