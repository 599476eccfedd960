import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type Answer, decode, encode, type Packet } from "dns-packet";

export interface ScriptedQuestion {
  /** Lower-case, whatever case the query used. */
  readonly name: string;
  readonly type: string;
  readonly transport: "udp" | "tcp";
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly hasEdns: boolean;
}

/** How a reply is made invalid before it is sent. */
export type Mangle =
  | "id"
  | "question_name"
  | "question_type"
  | "question_case"
  | "opcode"
  | "not_a_response"
  | "no_question"
  | "garbage"
  | "cut_short"
  | "other_source_port";

/** One reply or none; `next` follows it. */
export interface Behaviour {
  readonly silent?: boolean;
  readonly rcode?: number;
  readonly authoritative?: boolean;
  readonly truncated?: boolean;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
  readonly additionals?: readonly Answer[];
  readonly mangle?: Mangle;
  readonly delayMs?: number;
  readonly next?: Behaviour;
}

export interface ScriptedDns {
  readonly address: string;
  readonly port: number;
  /** Every question that arrived, in order. */
  readonly seen: ScriptedQuestion[];
  readonly openConnections: () => number;
  stop(): Promise<void>;
}

export const SERVFAIL: Behaviour = { rcode: 2 };
export const REFUSED: Behaviour = { rcode: 5 };
export const SILENCE: Behaviour = { silent: true };

const flagAa = 1 << 10;
const flagTc = 1 << 9;
const flagRa = 1 << 7;

/** A DNS server over UDP and TCP; `behave` decides each answer. */
export async function startScriptedDns(options: {
  readonly address: string;
  readonly port: number;
  readonly tcp?: "on" | "refused" | "silent";
  readonly behave: (question: ScriptedQuestion) => Behaviour;
}): Promise<ScriptedDns> {
  const { address, port, behave } = options;
  const seen: ScriptedQuestion[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const respond = (query: Packet, transport: "udp" | "tcp", send: Send) => {
    const question = readQuestion(query, transport);
    seen.push(question);
    play(query, behave(question), send, timers);
  };

  const udp = createSocket("udp4");
  const decoy = createSocket("udp4");
  udp.on("message", (packet, from) => {
    respond(decode(packet), "udp", (bytes, mangle) => {
      sendDatagram(mangle === "other_source_port" ? decoy : udp, bytes, from);
    });
  });
  udp.bind(port, address);
  decoy.bind(0, address);
  await Promise.all([once(udp, "listening"), once(decoy, "listening")]);

  const connections = new Set<Socket>();
  const tcp = createServer((socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    socket.on("error", () => socket.destroy());
    if (options.tcp === "silent") return;
    readFrames(socket, (packet) => {
      respond(decode(packet), "tcp", (bytes) => {
        if (!socket.destroyed) socket.write(withLength(bytes));
      });
    });
  });
  if (options.tcp !== "refused") {
    tcp.listen(port, address);
    await once(tcp, "listening");
  }

  return {
    address,
    port,
    seen,
    openConnections: () => connections.size,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of connections) socket.destroy();
      const closed = [closeUdp(udp), closeUdp(decoy)];
      if (tcp.listening) closed.push(new Promise<void>((resolve) => tcp.close(() => resolve())));
      await Promise.all(closed);
    },
  };
}

type Send = (bytes: Buffer, mangle: Mangle | undefined) => void;

function play(query: Packet, behaviour: Behaviour, send: Send, timers: Set<NodeJS.Timeout>): void {
  const act = () => {
    if (behaviour.silent !== true) send(build(query, behaviour), behaviour.mangle);
    if (behaviour.next !== undefined) play(query, behaviour.next, send, timers);
  };
  if (behaviour.delayMs === undefined) {
    act();
    return;
  }
  const timer = setTimeout(() => {
    timers.delete(timer);
    act();
  }, behaviour.delayMs);
  timers.add(timer);
}

function build(query: Packet, behaviour: Behaviour): Buffer {
  const [question] = query.questions ?? [];
  if (question === undefined) throw new Error("a scripted server needs a question");
  const bytes = encode({
    type: "response",
    id: query.id ?? 0,
    flags:
      flagRa |
      (behaviour.authoritative === false ? 0 : flagAa) |
      (behaviour.truncated === true ? flagTc : 0) |
      (behaviour.rcode ?? 0),
    questions:
      behaviour.mangle === "no_question" ? [] : [mangleQuestion(question, behaviour.mangle)],
    answers: [...(behaviour.answers ?? [])],
    authorities: [...(behaviour.authorities ?? [])],
    additionals: [...(behaviour.additionals ?? [])],
  });
  return mangleBytes(bytes, behaviour.mangle);
}

function mangleQuestion(
  question: NonNullable<Packet["questions"]>[number],
  mangle: Mangle | undefined,
): NonNullable<Packet["questions"]>[number] {
  if (mangle === "question_name") return { ...question, name: `other-${question.name}` };
  if (mangle === "question_type") return { ...question, type: "HINFO" };
  if (mangle === "question_case") return { ...question, name: question.name.toLowerCase() };
  return question;
}

function mangleBytes(bytes: Buffer, mangle: Mangle | undefined): Buffer {
  if (mangle === "id") bytes.writeUInt16BE(bytes.readUInt16BE(0) ^ 0x5555, 0);
  if (mangle === "opcode") bytes.writeUInt8(bytes.readUInt8(2) | 0x20, 2);
  if (mangle === "not_a_response") bytes.writeUInt8(bytes.readUInt8(2) & 0x7f, 2);
  if (mangle === "garbage") return Buffer.from("no message at all");
  if (mangle === "cut_short") return bytes.subarray(0, bytes.length - 5);
  return bytes;
}

function readQuestion(query: Packet, transport: "udp" | "tcp"): ScriptedQuestion {
  const [question] = query.questions ?? [];
  const flags = query.flags ?? 0;
  return {
    name: question?.name.toLowerCase() ?? "",
    type: question?.type ?? "",
    transport,
    recursionDesired: (flags & 0x100) !== 0,
    checkingDisabled: (flags & 0x10) !== 0,
    hasEdns: (query.additionals ?? []).some((record) => record.type === "OPT"),
  };
}

function sendDatagram(
  socket: UdpSocket,
  bytes: Buffer,
  to: { readonly port: number; readonly address: string },
): void {
  // The client may have closed its socket; that is not an error.
  socket.send(bytes, to.port, to.address, () => undefined);
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function readFrames(socket: Socket, onMessage: (packet: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0);
      onMessage(rest.subarray(2, end));
      rest = rest.subarray(end);
    }
  });
}

function closeUdp(socket: UdpSocket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()));
}
