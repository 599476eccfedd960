import { createJointFlight } from "../client/share.ts";
import { normalizeName } from "../name.ts";
import { type QueryType, typeCodes } from "../wire/rdata.ts";
import {
  askUntilSound,
  bogus,
  type ChainCaches,
  type DnssecSource,
  descend,
  type Walk,
} from "./chain.ts";
import { createExpiring } from "./expiring.ts";
import { judgeData } from "./judge.ts";
import { readAnchors } from "./trust-anchor.ts";
import { type DnssecVerdict, indeterminate, newWork, pickWorst, secure } from "./verdict.ts";

export interface ValidatorOptions {
  readonly source: DnssecSource;
  /** DS data of the root's keys. */
  readonly anchors: readonly string[];
  readonly now: () => Date;
}

/** With `from`, answers come from there; what was authenticated is shared by all sources. */
export type Validate = (
  name: string,
  types: readonly QueryType[],
  signal: AbortSignal,
  from?: DnssecSource,
) => Promise<DnssecVerdict>;

/** As everywhere in this package, longer chains of aliases are faults. */
const maxAliases = 8;
const maxKeySets = 10_000;
const keySeconds = 3_600;

/**
 * Validates what a zone's own servers answer, from the root's trust anchor down (RFC 4035). The
 * operator's resolver only finds the servers, so a bogus zone is found whether or not that resolver
 * validates. The verdict is the worst of the types, along every alias.
 */
export function createValidator({ source, anchors, now }: ValidatorOptions): Validate {
  const signers = readAnchors(anchors);
  const caches: ChainCaches = {
    steps: createExpiring({ now, maxEntries: maxKeySets, maxSeconds: keySeconds }),
    takeTogether: createJointFlight(),
    keys: createExpiring({ now, maxEntries: maxKeySets, maxSeconds: keySeconds }),
  };
  const newWalk = (from: DnssecSource, signal: AbortSignal): Walk => ({
    source: from,
    anchors: signers,
    caches,
    now,
    signal,
    work: newWork(),
    steps: new Map(),
    usedKeys: new Set(),
  });
  const run = async (walk: Walk, name: string, types: readonly QueryType[]) =>
    pickWorst(await Promise.all(types.map((type) => validateQuestion(walk, name, type))));
  return async (name, types, signal, from = source) => {
    const walk = newWalk(from, signal);
    const verdict = await run(walk, name, types);
    if (verdict.outcome !== "bogus" || walk.usedKeys.size === 0) return verdict;
    // Stored keys may be behind a key rollover: nobody is called broken because of them.
    for (const key of walk.usedKeys) caches.keys.delete(key);
    return run(newWalk(from, signal), name, types);
  };
}

async function validateQuestion(walk: Walk, name: string, type: QueryType): Promise<DnssecVerdict> {
  const verdicts: DnssecVerdict[] = [];
  let owner = name;
  for (let aliases = 0; ; aliases += 1) {
    // An alias may lead to a name that no query can carry.
    if (aliases > maxAliases || normalizeName(owner) !== owner) {
      return pickWorst([...verdicts, indeterminate]);
    }
    const step = await validateOwner(walk, owner, type);
    if ("outcome" in step) return pickWorst([...verdicts, step]);
    verdicts.push(secure);
    owner = step.target;
  }
}

async function validateOwner(
  walk: Walk,
  name: string,
  type: QueryType,
): Promise<DnssecVerdict | { readonly target: string }> {
  const signedZone = await descend(walk, name);
  if ("outcome" in signedZone) return signedZone;
  const context = { keyedZone: signedZone, now: walk.now(), work: walk.work };
  const question = { name, type: typeCodes[type] };
  const judged = await askUntilSound(walk, signedZone.servers, { name, type }, (answer) =>
    judgeData(answer, question, context),
  );
  switch (judged?.kind) {
    case undefined:
      return indeterminate;
    case "secure":
      return secure;
    case "unsigned":
      return { outcome: "insecure", zone: signedZone.zone };
    case "follow":
      return { target: judged.target };
    case "broken":
      return bogus(signedZone.zone, name, type, judged);
  }
}
