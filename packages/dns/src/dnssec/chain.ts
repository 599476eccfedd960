import type { SingleFlight } from "@mooring/concurrency";
import { registryDomain } from "../name.ts";
import type { NameServer } from "../resolve/resolver.ts";
import type { QueryType } from "../wire/rdata.ts";
import { splitLabels } from "../wire/wire-records.ts";
import type { Expiring } from "./expiring.ts";
import { type Broken, judgeDelegation, judgeKeys, type SignedAnswer } from "./judge.ts";
import type { DelegationSigner } from "./keys.ts";
import { ancestorWith } from "./record-sets.ts";
import type { KeyedZone } from "./signatures.ts";
import { type DnssecVerdict, indeterminate, newWork, spend, type Work } from "./verdict.ts";

/** Where validation gets its answers; a null is silence, an error or a referral. */
export interface DnssecSource {
  /** The servers of a zone. Nothing here is trusted: a wrong one can only fail to prove. */
  findServers(zone: string, signal: AbortSignal): Promise<readonly NameServer[]>;
  ask(
    server: NameServer,
    name: string,
    type: QueryType,
    signal: AbortSignal,
  ): Promise<SignedAnswer | null>;
}

/** A zone of the chain: its authenticated keys, and whom to ask. */
export interface SignedZone extends KeyedZone {
  readonly servers: readonly NameServer[];
}

type Step =
  | { readonly kind: "zone"; readonly signedZone: SignedZone }
  | { readonly kind: "no_cut" }
  | { readonly kind: "ended"; readonly verdict: DnssecVerdict };

export interface ChainCaches {
  /** The steps above the domains that registries delegate; many names share them. */
  readonly steps: Expiring<Step>;
  /** Checks that need the same one of these steps at the same time take it together. */
  readonly takeTogether: SingleFlight<Step>;
  /** Authenticated keys of a zone, by the DS records that vouch for them. */
  readonly keys: Expiring<KeyedZone>;
}

/** One check: what it may cost, what it has asked already, and which stored keys it relied on. */
export interface Walk {
  readonly source: DnssecSource;
  readonly anchors: readonly DelegationSigner[];
  readonly caches: ChainCaches;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly work: Work;
  readonly steps: Map<string, Promise<Step>>;
  readonly usedKeys: Set<string>;
}

/** Longer names than any that is connected; each label costs a question. */
const maxLabels = 12;
/** A zone is bogus only when none of this many servers has an authentic answer. */
const maxServersTried = 3;
const sharedSeconds = 900;
/** A chain that could not be followed is tried again after this, not by every check. */
const failedSeconds = 30;
/** A check that was aborted before this says nothing about the servers. */
const slowMs = 5_000;

/** Follows the chain of trust from the root to the zone that holds the name (RFC 4035 §5). */
export async function descend(walk: Walk, name: string): Promise<SignedZone | DnssecVerdict> {
  const labels = splitLabels(name).length;
  if (labels > maxLabels) return indeterminate;
  const root = await stepOnce(walk, ".", (taker) => enter(taker, ".", taker.anchors));
  if (root.kind !== "zone") return indeterminate;
  let { signedZone } = root;
  for (let count = 1; count <= labels; count += 1) {
    const parent = signedZone;
    const next = ancestorWith(name, count);
    const step = await stepOnce(walk, next, (taker) => stepTo(taker, parent, next));
    if (step.kind === "ended") return step.verdict;
    if (step.kind === "zone") signedZone = step.signedZone;
  }
  return signedZone;
}

function stepOnce(walk: Walk, name: string, take: (walk: Walk) => Promise<Step>): Promise<Step> {
  const known = walk.steps.get(name);
  if (known !== undefined) return known;
  const taken = isAboveRegistry(name) ? takeShared(walk, name, take) : take(walk);
  walk.steps.set(name, taken);
  return taken;
}

/** A step that many checks need has a budget of its own. */
async function takeShared(
  walk: Walk,
  name: string,
  take: (walk: Walk) => Promise<Step>,
): Promise<Step> {
  const { caches } = walk;
  const known = caches.steps.get(name);
  if (known !== undefined) return known;
  return caches.takeTogether(name, walk.signal, async (signal) => {
    const startedMs = walk.now().getTime();
    const step = await take({ ...walk, signal, work: newWork() }).catch((error: unknown) => {
      // Servers that let every check run into its time limit are not asked by every check.
      const isSlow = walk.now().getTime() - startedMs >= slowMs;
      if (isSlow) caches.steps.set(name, ended(indeterminate), failedSeconds);
      throw error;
    });
    const isLasting = step.kind !== "ended" || step.verdict.outcome === "insecure";
    caches.steps.set(name, step, isLasting ? sharedSeconds : failedSeconds);
    return step;
  });
}

/** The root, top-level domains and other public suffixes: nobody registers a name there. */
function isAboveRegistry(name: string): boolean {
  return name === "." || registryDomain(name) === null;
}

async function stepTo(walk: Walk, parent: SignedZone, name: string): Promise<Step> {
  const context = { keyedZone: parent, now: walk.now(), work: walk.work };
  const delegation = await askUntilSound(walk, parent.servers, { name, type: "DS" }, (answer) =>
    judgeDelegation(answer, name, context),
  );
  if (delegation === null) return ended(indeterminate);
  switch (delegation.kind) {
    case "no_cut":
      return { kind: "no_cut" };
    case "unsigned":
      return ended({ outcome: "insecure", zone: name });
    case "signed":
      return enter(walk, name, delegation.signers);
    case "broken":
      return ended(bogus(parent.zone, name, "DS", delegation));
  }
}

/** Authenticates a zone's keys, or takes those that the same DS records authenticated before. */
async function enter(
  walk: Walk,
  zone: string,
  signers: readonly DelegationSigner[],
): Promise<Step> {
  const servers = await walk.source.findServers(zone, walk.signal);
  const key = cacheKey(zone, signers);
  const known = walk.caches.keys.get(key);
  if (known !== undefined) {
    walk.usedKeys.add(key);
    return { kind: "zone", signedZone: { ...known, servers } };
  }
  const context = { now: walk.now(), work: walk.work };
  const judged = await askUntilSound(walk, servers, { name: zone, type: "DNSKEY" }, (answer) =>
    judgeKeys(answer, zone, signers, context),
  );
  if (judged === null) return ended(indeterminate);
  if (judged.kind === "broken") return ended(bogus(zone, zone, "DNSKEY", judged));
  walk.caches.keys.set(key, judged.keyedZone, judged.seconds);
  return { kind: "zone", signedZone: { ...judged.keyedZone, servers } };
}

function cacheKey(zone: string, signers: readonly DelegationSigner[]): string {
  const vouching = signers.map(
    ({ tag, algorithm, digestType, digest }) =>
      `${tag} ${algorithm} ${digestType} ${digest.toString("hex")}`,
  );
  return [zone, ...vouching.sort()].join("\n");
}

/**
 * Asks the zone's servers in a random order until one answer is sound; the last broken one when
 * none is, as a resolver does. Null when none answers.
 */
export async function askUntilSound<T extends { readonly kind: string }>(
  walk: Walk,
  servers: readonly NameServer[],
  { name, type }: { readonly name: string; readonly type: QueryType },
  judge: (answer: SignedAnswer) => T | Broken,
): Promise<T | Broken | null> {
  let worst: T | Broken | null = null;
  for (const server of shuffled(servers).slice(0, maxServersTried)) {
    if (!spend(walk.work, "queries")) return worst;
    const answer = await walk.source.ask(server, name, type, walk.signal);
    if (answer === null) continue;
    const judged = judge(answer);
    if (judged.kind !== "broken") return judged;
    worst = judged;
  }
  return worst;
}

/** Spreads the questions over the servers of busy zones, such as top-level domains. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

function ended(verdict: DnssecVerdict): Step {
  return { kind: "ended", verdict };
}

export function bogus(
  zone: string,
  name: string,
  type: string,
  { reason, at }: Broken,
): DnssecVerdict {
  return { outcome: "bogus", fault: { zone, name, type, reason, at } };
}
