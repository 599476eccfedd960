import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { until } from "../processes/until.ts";

export interface QuicRequest {
  readonly path: string;
  readonly method?: string;
  readonly authority?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface QuicAnswer {
  readonly head: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection of HTTP/3 by aioquic, which stays open between requests. */
export interface QuicVisit {
  /** Null when it is reset, or the connection is closed. */
  ask(request: QuicRequest): Promise<QuicAnswer | null>;
  /** Resolves when the body has begun; `isCut` when it ends before its time. */
  begin(request: QuicRequest): Promise<{ isCut(): boolean }>;
  close(): Promise<void>;
}

export interface QuicClient {
  /** A Python that has aioquic. */
  readonly python: string;
  readonly port: number;
  /** The file of the trusted root. */
  readonly ca: string;
}

interface ClientEvent {
  readonly event: "asked" | "closed" | "data" | "end" | "head" | "opened" | "refused" | "reset";
  readonly stream?: number;
  readonly head?: Readonly<Record<string, string>>;
  readonly data?: string;
  readonly resumed?: boolean;
  readonly early?: boolean;
  readonly sizes?: readonly (number | null)[];
}

const script = path.join(import.meta.dirname, "aioquic_client.py");

/** Null when the handshake fails. */
export async function openQuicVisit(
  client: QuicClient,
  hostname: string,
): Promise<QuicVisit | null> {
  const { child, events, exited } = start(client, { hostname });
  const has = (...names: readonly string[]): boolean =>
    events.some(({ event }) => names.includes(event));
  await until(() => has("opened", "refused", "closed"), "the handshake of QUIC");
  if (!has("opened")) {
    child.stdin.end();
    await exited;
    return null;
  }
  let asked = 0;
  const send = async (request: QuicRequest): Promise<() => readonly ClientEvent[]> => {
    const index = asked;
    asked += 1;
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const started = (): ClientEvent | undefined =>
      events.filter(({ event }) => event === "asked")[index];
    await until(() => started() !== undefined, "the request sent");
    return () => events.filter(({ stream }) => stream === started()?.stream);
  };
  const hasEnded = (of: readonly ClientEvent[]): boolean =>
    has("closed") || of.some(({ event }) => event === "end" || event === "reset");
  return {
    async ask(request) {
      const found = await send(request);
      await until(() => hasEnded(found()), "the answer over HTTP/3");
      const head = found().find((one) => one.head !== undefined)?.head;
      if (head === undefined || !found().some(({ event }) => event === "end")) return null;
      return { head, body: bodyOf(found()) };
    },
    async begin(request) {
      const found = await send(request);
      await until(() => bodyOf(found()) !== "", "the body begun");
      return { isCut: () => hasEnded(found()) };
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/**
 * Visits one name, then all of these with each ticket of the server. `early` are the bytes of
 * early data that the tickets allow.
 */
export async function resumeQuicVisits(
  client: QuicClient,
  hostname: string,
  others: readonly string[],
): Promise<{ readonly resumed: readonly boolean[]; readonly early: readonly (number | null)[] }> {
  const { child, events, exited } = start(client, { hostname, resume: others });
  child.stdin.end();
  await exited;
  const opened = events.filter(({ event }) => event === "opened").slice(1);
  const early = events.find(({ sizes }) => sizes !== undefined)?.sizes;
  if (early === undefined) throw new Error("aioquic got no answer");
  return { resumed: opened.map(({ resumed }) => resumed === true), early };
}

function start({ python, ...client }: QuicClient, options: object) {
  const child = spawn(python, [script, JSON.stringify({ ...client, ...options })], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const events: ClientEvent[] = [];
  createInterface(child.stdout).on("line", (line) => void events.push(JSON.parse(line)));
  child.stdin.on("error", () => undefined);
  return { child, events, exited: once(child, "close") };
}

function bodyOf(events: readonly ClientEvent[]): string {
  return events.map(({ data = "" }) => data).join("");
}
