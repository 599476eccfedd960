import {
  type Decoded,
  decodeResponse,
  encodeQuery,
  type Message,
  mixCase,
} from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import type { Limiter, ServerPolicy } from "./limiter.ts";
import { askTcp } from "./tcp.ts";
import type { Endpoint, TransportFailure } from "./udp.ts";
import { createUdpPool, inBlocks, type RandomBytes, type UdpPool } from "./udp.ts";

export interface Question {
  readonly to: Endpoint;
  /** Canonical; the client mixes the letter case of a UDP query (0x20). */
  readonly name: string;
  readonly type: QueryType;
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  /** Asks for signatures and proofs of absence as well. */
  readonly dnssecOk?: boolean;
  /** "tcp" uses UDP only where TCP is refused; "udp" uses TCP on truncation or a doubtful echo. */
  readonly transport: "udp" | "tcp";
  readonly policy: ServerPolicy;
  readonly signal: AbortSignal;
}

export type AskResult =
  | { readonly kind: "message"; readonly message: Message; readonly transport: "udp" | "tcp" }
  | { readonly kind: "failed"; readonly reason: "timeout" | "unreachable" | "malformed" };

export interface ClientOptions {
  readonly limiter: Limiter;
  readonly random: RandomBytes;
  readonly attemptTimeoutMs: number;
  readonly udpAttempts: number;
}

/** A client with its socket pool; `random` is drawn in blocks. */
export interface DnsClient extends ClientOptions {
  readonly udp: UdpPool;
}

export function createClient(options: ClientOptions): DnsClient {
  const random = inBlocks(options.random);
  return { ...options, random, udp: createUdpPool({ random, nowMs: () => performance.now() }) };
}

type AttemptResult = Decoded | TransportFailure;

const formErr = 1;
const notImp = 4;
const badVers = 16;

/** Sends one question to one server. Rejects only when aborted. */
export function ask(client: DnsClient, question: Question): Promise<AskResult> {
  return question.transport === "udp" ? udpFirst(client, question) : tcpFirst(client, question);
}

async function udpFirst(client: DnsClient, question: Question): Promise<AskResult> {
  const udp = await overUdp(client, question);
  if (udp !== "doubtful") return udp;
  const tcp = await overTcp(client, question);
  return tcp === "refused" ? failed("unreachable") : tcp;
}

async function tcpFirst(client: DnsClient, question: Question): Promise<AskResult> {
  const tcp = await overTcp(client, question);
  if (tcp !== "refused") return tcp;
  const udp = await overUdp(client, question);
  return udp === "doubtful" ? failed("malformed") : udp;
}

/** "doubtful": truncated, or the name came back in another letter case; TCP has to decide. */
async function overUdp(client: DnsClient, question: Question): Promise<AskResult | "doubtful"> {
  for (let left = client.udpAttempts; left > 0; left -= 1) {
    const result = await attemptWithEdnsFallback(client, question, "udp");
    if (result === "timeout") continue;
    if (typeof result !== "string" && result.kind === "case_differs") return "doubtful";
    const asked = conclude(result, "udp");
    return asked.kind === "message" && asked.message.truncated ? "doubtful" : asked;
  }
  return failed("timeout");
}

async function overTcp(client: DnsClient, question: Question): Promise<AskResult | "refused"> {
  const result = await attemptWithEdnsFallback(client, question, "tcp");
  return result === "refused" ? "refused" : conclude(result, "tcp");
}

function conclude(result: AttemptResult, transport: "udp" | "tcp"): AskResult {
  if (result === "timeout") return failed("timeout");
  if (typeof result === "string") return failed("unreachable");
  if (result.kind !== "answer") return failed("malformed");
  // A TCP answer is never truncated; one with the flag set cannot be trusted.
  if (result.message.truncated && transport === "tcp") return failed("malformed");
  return { kind: "message", message: result.message, transport };
}

function failed(reason: "timeout" | "unreachable" | "malformed"): AskResult {
  return { kind: "failed", reason };
}

/** RFC 6891 §6.2.2: a server that does not know EDNS is queried again without it. */
async function attemptWithEdnsFallback(
  client: DnsClient,
  question: Question,
  transport: "udp" | "tcp",
): Promise<AttemptResult> {
  const result = await attemptOnce(client, question, transport, true);
  return typeof result !== "string" && rejectsEdns(result)
    ? attemptOnce(client, question, transport, false)
    : result;
}

function rejectsEdns(decoded: Decoded): boolean {
  if (decoded.kind === "questionless") return true;
  return decoded.kind === "answer" && [formErr, notImp, badVers].includes(decoded.message.rcode);
}

async function attemptOnce(
  client: DnsClient,
  question: Question,
  transport: "udp" | "tcp",
  edns: boolean,
): Promise<AttemptResult> {
  const { to, policy, signal } = question;
  const acquired = client.limiter.acquire(`${to.address} ${to.port}`, policy, signal);
  const release = acquired instanceof Promise ? await acquired : acquired;
  // The queue is full; waiting would end in a timeout as well.
  if (release === null) return "timeout";
  try {
    const { random, udp } = client;
    const { name, type, recursionDesired, checkingDisabled, dnssecOk = false } = question;
    const id = transport === "tcp" ? idFrom(random) : 0; // over UDP the pool writes the id
    const flags = { recursionDesired, checkingDisabled, edns, dnssecOk };
    const query = encodeQuery({ id, name, type, ...flags });
    const accept = (packet: Buffer) => {
      const decoded = decodeResponse(query, packet, name);
      return decoded.kind === "unrelated" ? undefined : decoded;
    };
    const attempt = { to, query, timeoutMs: client.attemptTimeoutMs, signal, accept };
    if (transport === "tcp") return await askTcp<Decoded>(attempt);
    // "0x20": the case of each letter is one more random bit that an off-path forger has to guess.
    mixCase(query, random(name.length));
    return await udp.ask<Decoded>(attempt);
  } finally {
    release();
  }
}

function idFrom(random: RandomBytes): number {
  const [high = 0, low = 0] = random(2);
  return (high << 8) | low;
}
