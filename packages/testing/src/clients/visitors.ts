import { Resolver } from "node:dns/promises";
import { Agent, request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { untilPromoted } from "../edge/accelerator/whole-edges.ts";
import { longestWaitMs } from "../processes/until.ts";
import { nextVisitorAddress } from "./restart-load.ts";

export interface VisitorsOptions {
  readonly hostname: string;
  readonly port: number;
  /** Roots that visitors trust. */
  readonly ca: readonly string[];
  /** Their caching resolver, as `ip:port`. */
  readonly resolver: string;
  /** All of them together. */
  readonly perSecond: number;
}

export interface Visitors {
  /** Good answers by what they begin with: which server gave them. */
  answers(server: string): number;
  readonly failures: readonly string[];
  /** Requests on persistent connections that were closed under them and were sent again. */
  repeated(): number;
  stop(): Promise<void>;
}

const perVisitorAndSecond = 5;
/** Every fourth request opens a connection of its own. */
const newConnectionEvery = 4;

/**
 * Visitors of one site, each with a cache of its own that honours TTLs, one request at a time. Half
 * of them leave a persistent connection when the name resolves elsewhere; the others, like
 * browsers, use it while it is open, and send a request again that finds it closed.
 */
export function startVisitors(options: VisitorsOptions): Visitors {
  const failures: string[] = [];
  const answers = new Map<string, number>();
  const count = Math.max(2, Math.round(options.perSecond / perVisitorAndSecond));
  let repeated = 0;
  let isStopped = false;

  async function live(index: number): Promise<void> {
    const visitor = createVisitor(options, index % 2 === 1, () => {
      repeated += 1;
    });
    const pauseMs = (1_000 * count) / options.perSecond;
    await delay((pauseMs * index) / count);
    for (let sent = 0; !isStopped; sent += 1) {
      const startedAt = performance.now();
      try {
        const { status, body } = await visitor.visit(sent % newConnectionEvery === 0);
        const [server = ""] = body.split(" ");
        const isGood = status === 200 && body === `${server} ${options.hostname}`;
        if (isGood) answers.set(server, (answers.get(server) ?? 0) + 1);
        else failures.push(`${status} with ${body.slice(0, 200)}`);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
      await delay(Math.max(0, pauseMs - (performance.now() - startedAt)));
    }
    visitor.leave();
  }

  const all = Array.from({ length: count }, (_, index) => live(index));
  return {
    failures,
    answers: (server) => answers.get(server) ?? 0,
    repeated: () => repeated,
    async stop() {
      isStopped = true;
      await Promise.all(all);
    },
  };
}

interface Page {
  readonly status: number;
  readonly body: string;
}

interface Visitor {
  visit(isNewConnection: boolean): Promise<Page>;
  leave(): void;
}

function createVisitor(options: VisitorsOptions, isSticky: boolean, onRepeat: () => void): Visitor {
  const find = createLookup(options);
  let persistent: { readonly address: string; readonly agent: Agent } | null = null;

  async function openAgent(): Promise<{ readonly address: string; readonly agent: Agent }> {
    if (persistent !== null && isSticky && isOpen(persistent.agent)) return persistent;
    const address = await find();
    if (persistent?.address !== address) {
      persistent?.agent.destroy();
      persistent = { address, agent: new Agent({ keepAlive: true, maxSockets: 1 }) };
    }
    return persistent;
  }

  return {
    async visit(isNewConnection) {
      if (isNewConnection) return load(options, await find(), false);
      const { address, agent } = await openAgent();
      try {
        return await load(options, address, agent);
      } catch (error) {
        // RFC 9110 §9.2.2: a server may close a persistent connection at any time.
        if (!(isSticky && error instanceof ClosedWhenUsed)) throw error;
        onRepeat();
        agent.destroy();
        persistent = null;
        return load(options, await find(), false);
      }
    },
    leave: () => persistent?.agent.destroy(),
  };
}

function isOpen({ freeSockets }: Agent): boolean {
  return Object.values(freeSockets).some((sockets) => sockets?.some(({ destroyed }) => !destroyed));
}

/** A resolver's answer, used until its TTL has run out. */
function createLookup({ hostname, resolver }: VisitorsOptions): () => Promise<string> {
  const client = new Resolver({ timeout: 5_000, tries: 5 });
  client.setServers([resolver]);
  let known: { readonly address: string; readonly expiresAt: number } | null = null;
  return async () => {
    if (known !== null && performance.now() < known.expiresAt) return known.address;
    const [first] = await client.resolve4(hostname, { ttl: true });
    if (first === undefined) throw new Error("the name has no address");
    known = { address: first.address, expiresAt: performance.now() + first.ttl * 1_000 };
    return first.address;
  };
}

class ClosedWhenUsed extends Error {}

/** One request for `/`; an agent keeps its connection, `false` opens one for it alone. */
async function load(options: VisitorsOptions, host: string, agent: Agent | false): Promise<Page> {
  const { hostname, port, ca } = options;
  await untilPromoted(port, hostname);
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host,
        port,
        servername: hostname,
        ca: [...ca],
        path: "/",
        agent,
        ...(agent === false ? { localAddress: nextVisitorAddress() } : {}),
        headers: { host: hostname },
        signal: AbortSignal.timeout(longestWaitMs),
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          body += text;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        response.on("error", reject);
      },
    );
    sending.on("error", (error) => {
      const isClosed = sending.reusedSocket && "code" in error && error.code === "ECONNRESET";
      const kind = sending.reusedSocket ? "a persistent" : "a new";
      const message = `${error.message} on ${kind} connection to ${host}`;
      reject(isClosed ? new ClosedWhenUsed(message) : new Error(message));
    });
    sending.end();
  });
}
