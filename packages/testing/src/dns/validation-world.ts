import assert from "node:assert/strict";
import { createNetworkResolver, type Reply } from "../../../dns/src/index.ts";
import { startValidationServer } from "../../../edge/src/nameserver/start-name-server.ts";
import { type AcmeWorld, edgeName, startAcmeWorld, type WorldOptions } from "../acme/world.ts";
import { connect, type Made, readState, verify } from "../clients/connecting.ts";
import { call } from "../control/http.ts";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";
import { startBindRecursive } from "./bind-recursive.ts";
import { startKnot } from "./dns-servers.ts";

export const customerZone = "acme.example";
export const validationZone = "v.mooring.example";
const operatorZone = "mooring.example";

/**
 * The chain of a delegated validation, of real servers: Knot has the customer's zone with the
 * CNAME, BIND is the CA's caching resolver, two of our name servers have the validation zone,
 * Pebble is the CA.
 */
export interface ValidationWorld extends AcmeWorld {
  readonly authoritativePort: number;
  /** The CA's resolver, which is the visitors' too, as `ip:port`. */
  readonly resolver: string;
  /** A credential for the customer's zone, where it is dynamic. */
  readonly credential: {
    readonly provider: string;
    readonly fields: Readonly<Record<string, string>>;
  };
  /** Adds lines to the customer's zone; resolves when Knot answers with them. */
  add(...lines: readonly string[]): Promise<void>;
  /** Removes the lines of an owner and type. */
  remove(owner: string, type: string): Promise<void>;
  /** Asks the CA's resolver. */
  askCa(name: string, type: "A" | "TXT"): Promise<Reply>;
  /** Asks one of our name servers. */
  askServer(index: 0 | 1, name: string): Promise<Reply>;
  stopNameServer(index: 0 | 1): Promise<void>;
  startNameServer(index: 0 | 1): Promise<void>;
  detail(id: string): Promise<Record<string, unknown>>;
  /** Creates a connection and proves ownership. */
  prove(hostname: string, more?: Readonly<Record<string, unknown>>): Promise<Made>;
  /** The line of the CNAME that delegates validation. */
  delegate(id: string): Promise<string>;
  reach(id: string, state: string): Promise<void>;
}

export interface ValidationOptions
  extends Pick<WorldOptions, "certificateSeconds" | "edges" | "ports" | "env"> {
  /**
   * The customer's zone takes signed updates, also those of the product; `remove` has no effect
   * then.
   */
  readonly dynamic?: boolean;
}

/** `network` is the first three parts of addresses that no other test uses, as in `127.0.21`. */
export async function startValidationWorld(
  network: string,
  { dynamic = false, env = {}, ...options }: ValidationOptions = {},
): Promise<ValidationWorld> {
  const port = await freePort();
  const [knotAddress, caResolver, ...own] = [1, 2, 3, 4].map((last) => `${network}.${last}`) as [
    string,
    string,
    string,
    string,
  ];
  let lines: readonly string[] = ["@ NS ns1", `ns1 A ${knotAddress}`];
  const operator = [
    "@ NS ns1",
    `ns1 A ${knotAddress}`,
    "edge A 127.0.0.1",
    ...own.map((address, index) => `ns-v${index + 1} A ${address}`),
    ...own.map((_, index) => `v NS ns-v${index + 1}`),
  ].join("\n");
  const knot = await startKnot({
    address: knotAddress,
    port,
    dynamic,
    zones: { [customerZone]: lines.join("\n"), [operatorZone]: operator },
  });
  const bind = await startBindRecursive({
    address: caResolver,
    port,
    authoritativePort: port,
    zones: { [customerZone]: [knotAddress], [operatorZone]: [knotAddress], [validationZone]: own },
  });
  const resolver = `${caResolver}:${port}`;
  const nameServers = own.map((_, index) => `ns-v${index + 1}.${operatorZone}`);
  const world = await startAcmeWorld({
    ...options,
    dns: { resolver, caResolver: resolver, authoritativePort: port },
    env: { VALIDATION_ZONE: validationZone, VALIDATION_NS: nameServers.join(","), ...env },
  });
  const running = new Map<number, { close(): Promise<void> }>();
  const startNameServer = async (index: 0 | 1): Promise<void> => {
    const server = await startValidationServer({
      zone: { zone: validationZone, nameServers },
      hosts: [own[index] ?? ""],
      port,
      ratePerNetwork: 0,
      internal: null,
      databaseUrl: world.life.app.databaseUrl,
      log: world.life.app.operator.log,
      clock: world.life.app.clock,
    });
    running.set(index, server);
  };
  const stopNameServer = async (index: 0 | 1): Promise<void> => {
    await running.get(index)?.close();
    running.delete(index);
  };
  await Promise.all([startNameServer(0), startNameServer(1)]);
  const client = createNetworkResolver({ resolvers: [resolver], authoritativePort: port });
  const never = new AbortController().signal;
  const write = async (next: readonly string[]): Promise<void> => {
    lines = next;
    await knot.setZone(customerZone, lines.join("\n"));
  };
  const add = (...more: readonly string[]): Promise<void> =>
    dynamic ? knot.update(customerZone, more.map(toUpdate)) : write([...lines, ...more]);
  const detail = async (id: string): Promise<Record<string, unknown>> => {
    const answer = await call(world.caller.base, `/v1/connections/${id}`, {
      key: world.caller.key,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };
  return {
    ...world,
    authoritativePort: port,
    resolver,
    credential: {
      provider: "rfc2136",
      fields: {
        server: `${knotAddress}:${port}`,
        zone: customerZone,
        key_name: knot.tsig.name,
        key_secret: knot.tsig.secret,
      },
    },
    add,
    remove: (owner, type) =>
      write(
        lines.filter((line) => !new RegExp(`^${literally(owner)} (\\d+ )?${type} `).test(line)),
      ),
    askCa: (name, type) => client.resolve(name, type, never),
    askServer: (index, name) =>
      client.askServer(
        { host: nameServers[index] ?? "", addresses: [own[index] ?? ""] },
        name,
        "TXT",
        {
          signal: never,
          transport: "udp",
        },
      ),
    startNameServer,
    stopNameServer,
    detail,
    async prove(hostname, more = {}) {
      const made = await connect(world.caller, hostname, more);
      const base = hostname.replace(/^\*\./, "").replace(`.${customerZone}`, "");
      await add(`_service-challenge.${base} TXT "${made.challenge}"`);
      const answer = await verify(world.caller, made.id);
      assert.equal(answer.status, 200, answer.text);
      return made;
    },
    async delegate(id) {
      const validation = (await detail(id))["validation"] as { name: string; target: string };
      return `${validation.name.replace(`.${customerZone}`, "")} CNAME ${validation.target}.`;
    },
    reach: (id, state) =>
      until(async () => (await readState(world.life.session, id)) === state, `${state} of ${id}`),
    async close() {
      await Promise.all([stopNameServer(0), stopNameServer(1)]);
      await world.close();
      await Promise.all([knot.stop(), bind.stop()]);
    },
  };
}

/** A line of the zone file, as nsupdate takes it; without a TTL it gets that of the zone. */
function toUpdate(line: string): string {
  const [, owner = "", ttl = "60", rest = ""] = /^(\S+) (?:(\d+) )?(.*)$/.exec(line) ?? [];
  return `update add ${owner}.${customerZone}. ${ttl} ${rest}`;
}

function literally(text: string): string {
  return text.replace(/[.*]/g, "\\$&");
}

export function toTheEdge(label: string): string {
  return `${label} CNAME ${edgeName}.`;
}
