import type { Limiter, ServerPolicy } from "./limiter.ts";
import { inBlocks, type RandomBytes } from "./random.ts";
import { tryTcp } from "./tcp.ts";
import type { Endpoint, TransportFailure } from "./udp.ts";
import { createUdpPool, type UdpPool } from "./udp-pool.ts";
import {
  type Decoded,
  decodeResponse,
  encodeQuery,
  type Message,
  mixCase,
} from "./wire/message.ts";
import type { QueryType } from "./wire/rdata.ts";

export interface Ask {
  readonly to: Endpoint;
  /** Canonical; the letter case that protects a UDP query is chosen here. */
  readonly name: string;
  readonly type: QueryType;
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  /** "tcp" uses UDP only where TCP is refused; "udp" uses TCP on truncation or a doubtful echo. */
  readonly transport: "udp" | "tcp";
  readonly policy: ServerPolicy;
  readonly signal: AbortSignal;
}

export type Asked =
  | { readonly kind: "message"; readonly message: Message; readonly transport: "udp" | "tcp" }
  | { readonly kind: "failed"; readonly reason: "timeout" | "unreachable" | "malformed" };

export interface ClientOptions {
  readonly limiter: Limiter;
  readonly random: RandomBytes;
  readonly tryTimeoutMs: number;
  readonly udpTries: number;
}

type Tried = Decoded | TransportFailure;

const FORMERR = 1;
const NOTIMP = 4;
const BADVERS = 16;

/** Asks one server one question. Rejects only when aborted. */
export function ask(options: ClientOptions, question: Ask): Promise<Asked> {
  return question.transport === "udp"
    ? askUdp(options, question)
    : askTcpUnlessRefused(options, question);
}

async function askUdp(options: ClientOptions, question: Ask): Promise<Asked> {
  const udp = await repeatUdp(options, question);
  if (udp !== "doubtful") return udp;
  const tcp = await askTcp(options, question);
  return tcp === "refused" ? failed("unreachable") : tcp;
}

async function askTcpUnlessRefused(options: ClientOptions, question: Ask): Promise<Asked> {
  const tcp = await askTcp(options, question);
  if (tcp !== "refused") return tcp;
  const udp = await repeatUdp(options, question);
  return udp === "doubtful" ? failed("malformed") : udp;
}

/** "doubtful": truncated, or the name came back in another letter case, so only TCP can tell. */
async function repeatUdp(options: ClientOptions, question: Ask): Promise<Asked | "doubtful"> {
  for (let left = options.udpTries; left > 0; left -= 1) {
    const tried = await tryWithEdnsFallback(options, question, "udp");
    if (tried === "timeout") continue;
    if (typeof tried !== "string" && tried.kind === "case_differs") return "doubtful";
    const asked = conclude(tried, "udp");
    return asked.kind === "message" && asked.message.truncated ? "doubtful" : asked;
  }
  return failed("timeout");
}

async function askTcp(options: ClientOptions, question: Ask): Promise<Asked | "refused"> {
  const tried = await tryWithEdnsFallback(options, question, "tcp");
  return tried === "refused" ? "refused" : conclude(tried, "tcp");
}

function conclude(tried: Tried, transport: "udp" | "tcp"): Asked {
  if (tried === "timeout") return failed("timeout");
  if (typeof tried === "string") return failed("unreachable");
  if (tried.kind !== "answer") return failed("malformed");
  // Over TCP nothing needs to be cut off, so that what is left of such an answer cannot be trusted.
  if (tried.message.truncated && transport === "tcp") return failed("malformed");
  return { kind: "message", message: tried.message, transport };
}

function failed(reason: "timeout" | "unreachable" | "malformed"): Asked {
  return { kind: "failed", reason };
}

/** RFC 6891 §6.2.2: a server that does not know EDNS is asked again without. */
async function tryWithEdnsFallback(
  options: ClientOptions,
  question: Ask,
  transport: "udp" | "tcp",
): Promise<Tried> {
  const tried = await tryOnce(options, question, transport, true);
  return typeof tried !== "string" && rejectsEdns(tried)
    ? tryOnce(options, question, transport, false)
    : tried;
}

function rejectsEdns(decoded: Decoded): boolean {
  if (decoded.kind === "questionless") return true;
  return decoded.kind === "answer" && [FORMERR, NOTIMP, BADVERS].includes(decoded.message.rcode);
}

async function tryOnce(
  options: ClientOptions,
  question: Ask,
  transport: "udp" | "tcp",
  edns: boolean,
): Promise<Tried> {
  const { to, policy, signal } = question;
  const entered = options.limiter.enter(`${to.address} ${to.port}`, policy, signal);
  const leave = entered instanceof Promise ? await entered : entered;
  // Too many wait already: said as a timeout, which is what waiting would have come to.
  if (leave === null) return "timeout";
  try {
    const { random, udp } = meansOf(options);
    const { name, type, recursionDesired, checkingDisabled } = question;
    const id = transport === "tcp" ? idFrom(random) : 0; // the pool of sockets has its own
    const query = encodeQuery({ id, name, type, recursionDesired, checkingDisabled, edns });
    const accept = (packet: Buffer) => {
      const decoded = decodeResponse(query, packet, name);
      return decoded.kind === "foreign" ? undefined : decoded;
    };
    const attempt = { to, query, timeoutMs: options.tryTimeoutMs, signal, accept };
    if (transport === "tcp") return await tryTcp<Decoded>(attempt);
    // "0x20": each letter carries one more random bit that a blind forger has to guess.
    mixCase(query, random(name.length));
    return await udp.ask<Decoded>(attempt);
  } finally {
    leave();
  }
}

function idFrom(random: RandomBytes): number {
  const [high = 0, low = 0] = random(2);
  return (high << 8) | low;
}

interface Means {
  readonly random: RandomBytes;
  readonly udp: UdpPool;
}

/** What a client keeps from one question to the next lives as long as its options. */
const MEANS = new WeakMap<ClientOptions, Means>();

function meansOf(options: ClientOptions): Means {
  const known = MEANS.get(options);
  if (known !== undefined) return known;
  const random = inBlocks(options.random);
  const means: Means = { random, udp: createUdpPool({ random, nowMs: () => performance.now() }) };
  MEANS.set(options, means);
  return means;
}
