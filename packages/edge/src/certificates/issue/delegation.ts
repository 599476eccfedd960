import { setTimeout as delay } from "node:timers/promises";
import {
  acmeChallengeName,
  checkAlias,
  type NameServer,
  persistChallengeName,
  type Resolver,
  resolveAddresses,
  validationNegativeTtlSeconds,
} from "@mooring/dns/lookup";
import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import {
  persistedAt,
  persistValidation,
  publishValidation,
  validationLabel,
  withdrawValidation,
} from "../../db/validation.ts";
import type { Host } from "../../hosts/host.ts";
import { NotReady } from "./not-ready.ts";

/** Proof of control by DNS, through the CNAME that the customer has set to a name of ours. */
export interface Delegation {
  /**
   * The methods for which the customer's CNAMEs point to the validation name of this host's
   * connection.
   */
  methods(host: Host, signal: AbortSignal): Promise<readonly DnsMethod[]>;
  /**
   * Publishes a value and resolves when every name server of the zone shows it and no cache can
   * hold the answer from before. Throws `NotReady` while that is not so.
   */
  publish(host: Host, value: string, signal: AbortSignal): Promise<void>;
  /**
   * Publishes the record of `dns-persist-01`, which stays for as long as the claim; resolves as
   * `publish`, and at once where an earlier order has done it.
   */
  persist(host: Host, record: string, signal: AbortSignal): Promise<void>;
  /** The order has ended: its values are removed. */
  withdraw(hostname: string): Promise<void>;
}

type DnsMethod = "dns-persist-01" | "dns-01";

export interface DelegationParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly zone: string;
  readonly nameServers: readonly string[];
  /** Whether `dns-persist-01` is used where a CA offers it. */
  readonly isPersistent: boolean;
}

/** As long as a challenge is stored: a CA gives up on an authorization before that. */
const valueLifetimeMs = 3_600_000;
/** A change reaches every server by notification, and by their poll at the latest. */
const visibleWithinMs = 20_000;
const pollMs = 100;
/**
 * Resolvers count whole seconds, and some use an answer until the second in which it ends has
 * passed.
 */
const settleMs = (validationNegativeTtlSeconds + 1) * 1_000;

export function createDelegation(parts: DelegationParts): Delegation {
  const { pool, clock, resolver, zone } = parts;

  const publish = async (host: Host, value: string, signal: AbortSignal): Promise<void> => {
    const expiresAt = new Date(clock.now().getTime() + valueLifetimeMs);
    const label = await publishValidation(pool, host, value, expiresAt);
    if (label === null) throw new NotReady("the name is not claimed now");
    await untilShown(parts, `${label}.${zone}`, value, signal);
    // A cache may have seen the name without this value a moment ago.
    await delay(settleMs, undefined, { signal });
  };

  return {
    async methods({ hostname }, signal) {
      const label = await validationLabel(pool, hostname);
      if (label === null) return [];
      const pointsToUs = async (name: string): Promise<boolean> =>
        (await checkAlias(resolver, name, `${label}.${zone}`, signal)) === "right";
      const [isPersistent, isOrdinary] = await Promise.all([
        parts.isPersistent && pointsToUs(persistChallengeName(hostname)),
        pointsToUs(acmeChallengeName(hostname)),
      ]);
      const persistent: readonly DnsMethod[] = isPersistent ? ["dns-persist-01"] : [];
      return isOrdinary ? [...persistent, "dns-01"] : persistent;
    },
    publish,
    async persist(host, record, signal) {
      const label = await persistedAt(pool, host.hostname, record);
      if (label !== null) return untilShown(parts, `${label}.${zone}`, record, signal);
      // It stays only from here on: an order that ends before has not shown it for long enough.
      await publish(host, record, signal);
      await persistValidation(pool, host, record);
    },
    withdraw: (hostname) => withdrawValidation(pool, hostname, parts.isPersistent),
  };
}

async function untilShown(
  parts: DelegationParts,
  name: string,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + visibleWithinMs;
  const servers = await findServers(parts, signal);
  for (;;) {
    const asked = servers.map(async (server) => ({
      server: server.host,
      isShown: await shows(parts.resolver, server, name, value, signal),
    }));
    const late = (await Promise.all(asked)).filter(({ isShown }) => !isShown);
    if (late.length === 0) return;
    if (performance.now() > deadline) {
      const hosts = late.map(({ server }) => server).join(", ");
      throw new NotReady(`the value for the CA is not shown by the name server ${hosts}`);
    }
    await delay(pollMs, undefined, { signal });
  }
}

async function findServers(
  { resolver, nameServers }: DelegationParts,
  signal: AbortSignal,
): Promise<readonly NameServer[]> {
  const found = nameServers.map(async (host) => {
    const addresses = [...((await resolveAddresses(resolver, host, signal)) ?? [])];
    if (addresses.length > 0) return { host, addresses };
    throw new NotReady(`the name server ${host} of the validation zone has no address in DNS`);
  });
  return Promise.all(found);
}

/**
 * A server may have several addresses, of which one cannot be reached from here; each that answers
 * counts.
 */
async function shows(
  resolver: Resolver,
  server: NameServer,
  name: string,
  value: string,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = server.addresses.map((address) =>
    resolver.askServer({ host: server.host, addresses: [address] }, name, "TXT", {
      transport: "udp",
      signal,
    }),
  );
  const answered = (await Promise.all(asked)).filter(({ outcome }) => outcome !== "failed");
  return (
    answered.length > 0 &&
    answered.every(
      (reply) =>
        reply.outcome === "records" && reply.records.some((record) => record.value === value),
    )
  );
}
