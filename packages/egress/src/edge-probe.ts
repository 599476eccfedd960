import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { request as sendHttp } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Dial, startLimit } from "./dial.ts";

/**
 * How this service recognises its own edge behind somebody else's proxy. It asks the name for a
 * nonce, and only an edge of the installation can answer with the MAC of nonce, hostname and
 * minute. An answer shows where requests for the name arrive and proves nothing about who owns it:
 * anybody can ask an edge, or pass a question on to one.
 */

export const probePath = "/.well-known/mooring-probe/";

/**
 * The same question as a token of HTTP-01: it shows whether a proxy hides these from the edge. A
 * real token is random (RFC 8555 §8.3) and does not begin with this.
 */
export const challengeProbePath = "/.well-known/acme-challenge/mooring-probe-";

const nonceForm = /^[0-9a-f]{32}$/;
const answerForm = /^[A-Za-z0-9_-]{43}$/;

/** The port at which an edge was asked. `http` is the one without TLS. */
export type ProbeListener = "http" | "https";

export interface ProbeQuestion {
  readonly nonce: string;
  /** In lower case, without a dot at its end. */
  readonly hostname: string;
  readonly listener: ProbeListener;
}

/** The nonce in the target of a request; null for targets that are no question. */
export function readProbeNonce(target: string): string | null {
  const path = [probePath, challengeProbePath].find((one) => target.startsWith(one));
  if (path === undefined) return null;
  const nonce = target.slice(path.length).split("?")[0] ?? "";
  return nonceForm.test(nonce) ? nonce : null;
}

/** A key for probes alone, of a secret that all edges and workers of the installation have. */
export function deriveProbeKey(secret: Uint8Array): Buffer {
  return createHmac("sha256", secret).update("mooring/probe/v1").digest();
}

export function answerProbe(key: Uint8Array, question: ProbeQuestion, now: Date): string {
  return compute(key, question, minuteAt(now));
}

function minuteAt(now: Date): number {
  return Math.floor(now.getTime() / 60_000);
}

function compute(
  key: Uint8Array,
  { nonce, hostname, listener }: ProbeQuestion,
  minute: number,
): string {
  const text = [nonce, hostname, listener, minute].join("\n");
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** The port at which the edge that gave this answer was asked; null when none of ours gave it. */
function recognise(
  answer: string,
  { nonce, hostname }: Pick<ProbeQuestion, "nonce" | "hostname">,
  keys: readonly Uint8Array[],
  now: Date,
): ProbeListener | null {
  if (!answerForm.test(answer)) return null;
  const found = Buffer.from(answer);
  // Clocks of machines differ a little, and a minute may end on the way.
  const minutes = [-1, 0, 1].map((offset) => minuteAt(now) + offset);
  const listeners = ["https", "http"] as const;
  const isFrom = (listener: ProbeListener): boolean =>
    keys.some((key) =>
      minutes.some((minute) =>
        timingSafeEqual(found, Buffer.from(compute(key, { nonce, hostname, listener }, minute))),
      ),
    );
  return listeners.find(isFrom) ?? null;
}

export interface ProbeTarget {
  readonly hostname: string;
  /** Where the name resolves to; the first that accepts a connection is asked. */
  readonly addresses: readonly string[];
  readonly scheme: ProbeListener;
  readonly port: number;
  /** `challenge` asks below the path of HTTP-01. */
  readonly path: "probe" | "challenge";
  /** Of every root key that is loaded. */
  readonly keys: readonly Uint8Array[];
  readonly now: Date;
}

/**
 * `ours`: an edge of this installation answered. `stale`: the answer has the form of an edge's, of
 * another question or another time. `blocked`: the proxy refuses this client. `redirect`, `other`:
 * somebody else answered. `failed`: nobody did, or the proxy could not reach what is behind it.
 */
export type ProbeOutcome = "ours" | "stale" | "redirect" | "blocked" | "other" | "failed";

export interface ProbeReply {
  readonly outcome: ProbeOutcome;
  /** At which port our edge was asked; null unless it was. */
  readonly listener: ProbeListener | null;
  readonly status: number | null;
  /** The answer came from a cache, or was put into one. */
  readonly isCached: boolean;
  /** Null without an answer. */
  readonly fields: Pick<Headers, "get"> | null;
}

const silent: ProbeReply = {
  outcome: "failed",
  listener: null,
  status: null,
  isCached: false,
  fields: null,
};

const limits = { totalMs: 4_000, connectMs: 2_000, bytes: 256 };
/** An address of each family; a CDN has many, and they are alike. */
const maxAddresses = 2;

/** Asks once. Never rejects but with the reason of the signal. */
export async function askProbe(
  dial: Dial,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeReply> {
  for (const address of target.addresses.slice(0, maxAddresses)) {
    const reply = await askAddress(dial, target, address, signal);
    signal.throwIfAborted();
    if (reply !== null) return reply;
  }
  return silent;
}

/** Null when the address could not be asked. */
async function askAddress(
  dial: Dial,
  target: ProbeTarget,
  address: string,
  signal: AbortSignal,
): Promise<ProbeReply | null> {
  const limit = startLimit(limits.totalMs, "the probe", signal);
  const { port } = target;
  let socket: Socket | null = null;
  try {
    const connectTimeoutMs = limits.connectMs;
    const dialled = await dial({ host: address, port, signal: limit.signal, connectTimeoutMs });
    socket = dialled.socket;
    limit.signal.addEventListener("abort", () => dialled.socket.destroy(), { once: true });
    const way = target.scheme === "http" ? socket : await secure(socket, target, limit.signal);
    return await ask(way, target);
  } catch {
    // Refused by the guard, unreachable, without TLS, malformed or late.
    return null;
  } finally {
    limit.release();
    socket?.destroy();
  }
}

/**
 * The certificate is not verified: before there is one, a proxy may present anything, and the
 * answer authenticates itself.
 */
async function secure(
  socket: Socket,
  { hostname }: ProbeTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const secured = connectTls({
    socket,
    servername: hostname,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: false,
  });
  // `once` removes its error listener after the handshake; later errors must not be uncaught.
  secured.on("error", () => undefined);
  await once(secured, "secureConnect", { signal });
  return secured;
}

async function ask(socket: Socket, target: ProbeTarget): Promise<ProbeReply> {
  const nonce = randomBytes(16).toString("hex");
  const usualPort = target.scheme === "http" ? 80 : 443;
  const authority = target.port === usualPort ? "" : `:${target.port}`;
  const request = sendHttp({
    createConnection: () => socket,
    path: `${target.path === "probe" ? probePath : challengeProbePath}${nonce}`,
    headers: {
      host: `${target.hostname}${authority}`,
      accept: "*/*",
      "accept-encoding": "identity",
      "cache-control": "no-cache",
      "user-agent": "mooring-probe",
    },
    insecureHTTPParser: false,
  });
  request.on("error", () => undefined);
  request.end();
  const [response] = await once(request, "response");
  const fields = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values as readonly string[]) fields.append(name, value);
  }
  const body = await readBody(response);
  const listener = recognise(body, { nonce, hostname: target.hostname }, target.keys, target.now);
  const status: number = response.statusCode ?? 0;
  const outcome = listener === null ? classify(status, body) : "ours";
  return { outcome, listener, status, isCached: isFromCache(fields), fields };
}

async function readBody(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limits.bytes) break;
  }
  return Buffer.concat(chunks).toString("latin1");
}

/** What an answer is that none of our edges gave to this question. */
function classify(status: number, body: string): ProbeOutcome {
  if (status === 200 && answerForm.test(body)) return "stale";
  if (status >= 300 && status < 400) return "redirect";
  if (status === 401 || status === 403 || status === 407 || status === 429) return "blocked";
  return status >= 500 ? "failed" : "other";
}

/** Cloudflare stores what it calls a miss; `DYNAMIC` and `BYPASS` are not stored. */
const storedStatuses = ["HIT", "MISS", "EXPIRED", "STALE", "UPDATING", "REVALIDATED"];

/** An edge forbids caching, so that an answer from a cache shows one that does not obey. */
function isFromCache(fields: Pick<Headers, "get">): boolean {
  if (Number(fields.get("age") ?? 0) > 0) return true;
  const status = fields.get("cf-cache-status")?.toUpperCase();
  if (status !== undefined && storedStatuses.includes(status)) return true;
  return /\bhit\b/i.test(fields.get("x-cache") ?? "");
}
