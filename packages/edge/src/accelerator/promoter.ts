import { createSerialQueue } from "@mooring/concurrency";
import type { OpenCertificate } from "../certificates/serve/source.ts";
import type { Log } from "../config/settings.ts";
import type { Application } from "../hosts/application.ts";
import { claimText, type Host, type ServedHosts } from "../hosts/host.ts";
import { everyTick } from "./every-tick.ts";
import { findObstacle, needsStaple } from "./promotable.ts";
import { chooseNames, type RequestRates } from "./rates.ts";
import type { EntryOrigin, HaproxyTable, TableEntry } from "./runtime/haproxy-table.ts";
import { serverName } from "./runtime/named-servers.ts";
import { defaultTimes, type PromoterTimes } from "./times.ts";

export interface PromoterParts {
  readonly table: HaproxyTable;
  /** Differs from that of every other process that has used this HAProxy. */
  readonly owner: string;
  readonly hosts: ServedHosts;
  /** The stored certificate of exactly this claim; null without one. */
  readonly certificate: (host: Host) => Promise<OpenCertificate | null>;
  readonly assertion: (host: Host) => string | null;
  /** Where requests go, at a checked address; the preferred one if that is still among them. */
  readonly origin: (application: Application, preferred: string | null) => Promise<EntryOrigin>;
  readonly rates: Pick<RequestRates, "rank">;
  /** Whether a certificate that names a responder is served with its response. */
  readonly areStapled: boolean;
  readonly now: () => Date;
  readonly log: Log;
  /** Names at once. */
  readonly most: number;
  readonly times?: Partial<PromoterTimes>;
}

/** A minute's tokens are signed over some ticks; the old ones are valid for half a minute more. */
const assertionsPerTick = 250;

export interface Promoter {
  /** The host of a claim that HAProxy serves, or has served lately. */
  hostOf(claim: string): Host | null;
  readonly size: number;
  isPromoted(hostname: string): boolean;
  /** The name was released or claimed again. */
  removed(hostname: string): void;
  /** The name may have another certificate; all of them without a name. */
  certificateChanged(hostname?: string): void;
  /** The origin of the name has failed in HAProxy: the Node edge says what is to be said. */
  failed(host: Host): void;
  /** Withdraws all names. */
  stop(): Promise<void>;
}

interface Promoted extends TableEntry {
  readonly host: Host;
  readonly application: Application;
  readonly notAfter: Date;
  readonly chain: string;
  readonly origin: EntryOrigin;
  readonly assertion: string;
  resolvedAt: number;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory
export function startPromoter(parts: PromoterParts): Promoter {
  const { table, hosts, log, most } = parts;
  const times = { ...defaultTimes, ...parts.times };
  /** Commands to HAProxy, in order. Nothing waits in it for anybody but HAProxy. */
  const serially = createSerialQueue();
  const promoted = new Map<string, Promoted>();
  /** Not sent yet, or not with success. */
  const releasing = new Set<Promoted>();
  const retired = new Map<Promoted, number>();
  const oldClaims = new Map<string, number>();
  const claims = new Map<string, Host>();
  /** Names whose origin has failed. */
  const failedUntil = new Map<string, number>();
  /** Names that could not be promoted; another HAProxy may take them. */
  const refusedUntil = new Map<string, number>();
  const changedCertificates = new Set<string>();
  /** Of the minute that has begun, by name; HAProxy has none of them yet. */
  const signedTokens = new Map<string, string>();
  let freeSlots: number[] = [];
  let made = 0;
  let rankedAt = performance.now();
  let renewedAt = performance.now();
  let isOwner = false;
  let isStopped = false;

  const nextId = (): string => {
    made += 1;
    return `${parts.owner}x${made}`;
  };

  /** HAProxy has nothing: it is new, or somebody else's. */
  function forgetAll(): void {
    const known = [promoted, releasing, retired, oldClaims, signedTokens, refusedUntil];
    for (const one of known) one.clear();
    freeSlots = Array.from({ length: most }, (_, slot) => most - 1 - slot);
  }

  const isCurrent = claimCheck(hosts);

  async function renew(): Promise<boolean> {
    const now = performance.now();
    if (now - renewedAt > times.leaseMs) await demoteAll();
    // Else a HAProxy that continues might have the new lease first.
    for (const entry of [...releasing]) await release(entry);
    const state = await table.lease(Date.now() + times.leaseMs);
    renewedAt = now;
    if (state === "renewed") return true;
    forgetAll();
    if (state === "taken") {
      // The process that replaces this one has it.
      if (isOwner) return false;
      const until = performance.now() + times.retireMs;
      for (const hostname of await table.clear(isCurrent)) oldClaims.set(hostname, until);
    }
    isOwner = true;
    return true;
  }

  async function release(entry: Promoted): Promise<void> {
    releasing.add(entry);
    await table.release(entry);
    releasing.delete(entry);
    if (promoted.get(entry.hostname)?.server === entry.server) promoted.delete(entry.hostname);
    retired.set(entry, performance.now());
    log.info({ host: entry.hostname }, "name released from the accelerator");
  }

  async function demote(entry: Promoted, reason: string): Promise<void> {
    await table.withdraw(entry.hostname);
    promoted.delete(entry.hostname);
    retired.set(entry, performance.now() + times.retireMs);
    log.debug({ host: entry.hostname, reason }, "name left to the Node edge");
  }

  /** This process stood still: it may have missed that a name was released. */
  async function demoteAll(): Promise<void> {
    for (const entry of [...promoted.values()]) await demote(entry, "lease");
  }

  async function retire(): Promise<void> {
    const now = performance.now();
    for (const [entry, at] of [...retired]) {
      // A slot is free when its server is gone: it must never have two.
      if (at > now || !(await table.retire(entry))) continue;
      retired.delete(entry);
      freeSlots.push(entry.slot);
      await dropClaim(entry.hostname);
      if (promoted.get(entry.hostname)?.claim !== entry.claim) claims.delete(entry.claim);
    }
    for (const [hostname, at] of oldClaims) {
      if (at > now) continue;
      oldClaims.delete(hostname);
      await dropClaim(hostname);
    }
  }

  async function dropClaim(hostname: string): Promise<void> {
    if (!promoted.has(hostname)) await table.dropClaim(hostname);
  }

  /** By claims and settings as they are now. */
  async function checkPromoted(): Promise<void> {
    await table.cutCleared(isCurrent);
    for (const entry of [...promoted.values()]) await check(entry);
    for (const [entry] of [...retired]) {
      // What is still in flight under a claim that has ended meanwhile is cut, too.
      if (!isCurrent(entry.hostname, entry.claim) && retired.get(entry) !== 0) {
        await table.release(entry);
        retired.set(entry, 0);
      }
    }
  }

  async function check(entry: Promoted): Promise<void> {
    const host = hosts.find(entry.hostname);
    if (host === null || claimText(host) !== entry.claim) return release(entry);
    if (entry.notAfter <= parts.now()) return demote(entry, "certificate");
    const application = hosts.applicationOf(host);
    if (application === entry.application && host === entry.host) return;
    if (!isSame([host, application], [entry.host, entry.application])) {
      return demote(entry, "settings");
    }
    // Read again, with nothing new.
    Object.assign(entry, { host, application });
    claims.set(entry.claim, host);
  }

  /** A part of the minute's new tokens; false while some are left. */
  async function signTokens(): Promise<boolean> {
    let signed = 0;
    for (const entry of [...promoted.values()]) {
      if (signed >= assertionsPerTick) return false;
      const token = parts.assertion(entry.host);
      if (token === (signedTokens.get(entry.hostname) ?? entry.assertion)) continue;
      signed += 1;
      if (token === null) await demote(entry, "assertion");
      else signedTokens.set(entry.hostname, token);
    }
    return true;
  }

  /** All at once when all are signed: HAProxy would search a list of all for a single one. */
  async function renewAssertions(): Promise<void> {
    if (!(await signTokens()) || signedTokens.size === 0) return;
    const renewed = [...promoted.values()].map((entry) => {
      const assertion = signedTokens.get(entry.hostname) ?? entry.assertion;
      return { entry, assertion };
    });
    await table.setAssertions(
      renewed.map(({ entry, assertion }) => [entry.hostname, assertion] as const),
    );
    for (const { entry, assertion } of renewed) Object.assign(entry, { assertion });
    signedTokens.clear();
  }

  let isDown = false;
  async function tick(): Promise<void> {
    if (isStopped) return;
    try {
      if (!(await renew())) return;
      for (const step of [checkPromoted, renewAssertions, retire]) await step();
      isDown = false;
    } catch (error) {
      // Without a lease HAProxy passes everything on; the next tick tries again.
      if (!isDown) log.warn({ err: error }, "accelerator not reached");
      isDown = true;
    }
  }

  async function renewCertificates(): Promise<void> {
    for (const hostname of [...changedCertificates]) {
      changedCertificates.delete(hostname);
      const entry = promoted.get(hostname);
      if (entry === undefined) continue;
      const found = await parts.certificate(entry.host);
      await serially(async () => {
        if (promoted.get(hostname) === entry) await replaceCertificate(entry, found);
      });
    }
  }

  async function replaceCertificate(entry: Promoted, found: OpenCertificate | null): Promise<void> {
    if (found === null || isStapled(found)) return release(entry);
    if (found.chain === entry.chain) return;
    const { hostname, certificate: before } = entry;
    const certificate = nextId();
    const { chain, key, notAfter } = found;
    await table.putCertificate({ hostname, certificate }, `${chain}\n${key}`);
    Object.assign(entry, { certificate, chain, notAfter });
    await table.dropCertificate(before);
  }

  function isStapled({ chain }: OpenCertificate): boolean {
    return parts.areStapled && needsStaple(chain);
  }

  async function resolveAgain(): Promise<void> {
    for (const entry of [...promoted.values()]) {
      const now = performance.now();
      if (now - entry.resolvedAt < times.resolveMs) continue;
      entry.resolvedAt = now;
      const { address } = entry.origin;
      const origin = await parts.origin(entry.application, address).catch(() => null);
      if (origin?.address === address) continue;
      // The next ranking promotes it again, with the address that it has then.
      soon(entry.hostname, (current) => demote(current, "address"));
    }
  }

  async function rank(): Promise<void> {
    const now = performance.now();
    if (now - rankedAt < times.rankMs || !isOwner) return;
    const ranked = parts.rates.rank(now - rankedAt);
    rankedAt = now;
    const chosen = chooseNames(ranked, new Set(promoted.keys()), { ...times, most });
    demoteOthers(new Set(chosen));
    const left = [failedUntil, refusedUntil];
    for (const names of left) forgetPast(names, now);
    const known = [promoted, ...left];
    const added = chosen.filter((name) => !known.some((names) => names.has(name)));
    for (const hostname of added) {
      if (isStopped) return;
      await promote(hostname).catch((error: unknown) => {
        refusedUntil.set(hostname, performance.now() + times.failedMs);
        log.warn({ host: hostname, err: error }, "name not promoted");
      });
    }
  }

  function demoteOthers(names: ReadonlySet<string>): void {
    for (const hostname of promoted.keys()) {
      if (!names.has(hostname)) soon(hostname, (entry) => demote(entry, "not busy"));
    }
  }

  async function promote(hostname: string): Promise<void> {
    const host = hosts.find(hostname);
    const application = host === null ? null : hosts.applicationOf(host);
    if (host === null || application === null) return;
    if (findObstacle({ host, application }) !== null) return;
    const found = await parts.certificate(host);
    if (found === null || found.notAfter <= parts.now() || isStapled(found)) return;
    const origin = await parts.origin(application, null);
    await serially(() => put({ host, application, found, origin }));
  }

  async function put(prepared: {
    readonly host: Host;
    readonly application: Application;
    readonly found: OpenCertificate;
    readonly origin: EntryOrigin;
  }): Promise<void> {
    const { host, application, origin } = prepared;
    const { chain, key, notAfter } = prepared.found;
    const { hostname } = host;
    const assertion = parts.assertion(host);
    const isSettled = hosts.find(hostname) === host && hosts.applicationOf(host) === application;
    const slot = freeSlots.at(-1);
    if (isStopped || !isSettled || assertion === null || slot === undefined) return;
    freeSlots.pop();
    const id = nextId();
    const claim = claimText(host);
    const server = serverName(id, claim, hostname);
    const named = { hostname, claim, slot, server, certificate: id };
    const resolvedAt = performance.now();
    const entry = { ...named, host, application, chain, notAfter, origin, assertion, resolvedAt };
    claims.set(claim, host);
    try {
      const settings = application.edge;
      await table.put({ ...named, pem: `${chain}\n${key}`, assertion, origin, settings });
      promoted.set(hostname, entry);
    } catch (error) {
      releasing.add(entry);
      throw error;
    }
    log.debug({ host: hostname, slot }, "name promoted");
    await check(entry);
  }

  /** For the name as it is promoted then; a failure is found again by the next tick. */
  function soon(hostname: string, work: (entry: Promoted) => Promise<void>): void {
    serially(async () => {
      const entry = promoted.get(hostname);
      if (entry !== undefined) await work(entry);
    }).catch((error: unknown) =>
      log.warn({ host: hostname, err: error }, "accelerator not changed"),
    );
  }

  const timers = [
    everyTick(times.tickMs, () => serially(tick)),
    // These wait for others than HAProxy.
    ...[renewCertificates, resolveAgain, rank].map((work) =>
      everyTick(times.tickMs, () =>
        work().catch((error: unknown) => log.warn({ err: error }, "accelerator not changed")),
      ),
    ),
  ];

  return {
    hostOf: (claim) => claims.get(claim) ?? null,
    get size() {
      return promoted.size;
    },
    isPromoted: (hostname) => promoted.has(hostname),
    removed: (hostname) => soon(hostname, check),
    certificateChanged(hostname) {
      for (const name of hostname === undefined ? promoted.keys() : [hostname]) {
        changedCertificates.add(name);
      }
    },
    failed(host) {
      failedUntil.set(host.hostname, performance.now() + times.failedMs);
      soon(host.hostname, (entry) => demote(entry, "origin"));
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await serially(async () => {
        if ((await table.lease(0)) !== "renewed") return;
        for (const hostname of promoted.keys()) await table.withdraw(hostname);
      }).catch(() => undefined);
    },
  };
}

/** Whether a name has a claim still. */
export function claimCheck(
  hosts: Pick<ServedHosts, "find">,
): (hostname: string, claim: string) => boolean {
  return (hostname, claim) => {
    const host = hosts.find(hostname);
    return host !== null && claimText(host) === claim;
  };
}

function forgetPast(names: Map<string, number>, now: number): void {
  for (const [hostname, until] of names) if (until <= now) names.delete(hostname);
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
