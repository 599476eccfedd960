import { orElse } from "@mooring/concurrency";
import type { DnsRecord, ProviderManifest } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectSameName } from "../../db/queries/certificates/imported-certificates.ts";
import { selectClaimHolder } from "../../db/queries/connections/claims.ts";
import { selectPairTarget } from "../../db/queries/connections/connection-settings.ts";
import { selectTargetLabel } from "../../db/queries/connections/targets.ts";
import type { ClaimState } from "../../domain/connections/observation.ts";
import { findPair, type PairSide, partnerName } from "../../domain/connections/pair.ts";
import { isAnonymous } from "../../domain/connections/reach.ts";
import { isEdgeName, ownTarget } from "../../domain/ownership/target.ts";
import { withBudget } from "../budget.ts";
import type { ServiceContext } from "../context.ts";
import { observeName } from "./observe-name.ts";

/** Who has a name already, and the name that belongs with it. */
export interface Holding {
  readonly claim: ClaimState;
  readonly pair: CheckedPair | null;
}

export interface CheckedPair {
  readonly apex: string;
  readonly www: string;
  readonly otherClaim: ClaimState;
  /** The other name serves something that is not ours. */
  readonly otherInUse: boolean;
  readonly recommended: PairSide;
}

/** Whose connections count as the caller's own. */
interface Own {
  readonly applicationId: string | null;
  readonly customerRef: string | null;
}

/**
 * Says before anything is made what a create would say: a name of somebody else is `held`, no
 * matter who that is, and one whose holder is `drifted` passes to a new proof at once.
 */
export async function findHolding(
  ctx: ServiceContext,
  hostname: string,
  own: Own,
): Promise<Pick<Holding, "claim"> & PairHolding> {
  const partner = partnerName(hostname);
  return ctx.read(async (tx) => ({
    claim: await findClaim(ctx, tx, hostname, own),
    otherClaim: partner === null ? "free" : await findClaim(ctx, tx, partner, own),
    main: partner === null ? null : await findMain(ctx, tx, [hostname, partner], own),
  }));
}

interface PairHolding {
  readonly otherClaim: ClaimState;
  /** The one that visitors stay on, when the two are a pair of the caller's already. */
  readonly main: string | null;
}

async function findMain(
  { actor }: ServiceContext,
  tx: Tx,
  names: readonly [string, string],
  { applicationId, customerRef }: Own,
): Promise<string | null> {
  if (applicationId === null || isAnonymous(actor)) return null;
  return selectPairTarget(tx, { applicationId, customerRef }, names);
}

async function findClaim(
  { actor }: ServiceContext,
  tx: Tx,
  hostname: string,
  own: Own,
): Promise<ClaimState> {
  const holder = await selectClaimHolder(tx, hostname);
  if (holder === null) return "free";
  const isOwn =
    !isAnonymous(actor) &&
    holder.applicationId === own.applicationId &&
    holder.customerRef === own.customerRef;
  if (isOwn) return "own";
  return holder.state === "drifted" ? "drifted" : "held";
}

/** The targets of the hostname that are the caller's, or were and would be again. */
export async function findOwnTargets(
  ctx: ServiceContext,
  hostname: string,
  { applicationId, customerRef }: Own,
): Promise<readonly string[]> {
  const { actor, runtime } = ctx;
  if (applicationId === null || isAnonymous(actor)) return [];
  const { tenantId, environment } = actor;
  const owner = { tenantId, environment, applicationId, customerRef, hostname };
  const labels = await ctx.read(async (tx) => {
    const inUse = await selectSameName(tx, applicationId, hostname);
    const own = inUse.filter((one) => one.customerRef === customerRef);
    return [await selectTargetLabel(tx, owner), ...own.map(({ targetLabel }) => targetLabel)];
  });
  const { edgeCname } = runtime.config;
  return labels.flatMap((targetLabel) => ownTarget(edgeCname, { targetLabel }) ?? []);
}

const observeBudgetMs = 1_500;

/** Whether the partner of a name serves something else now; false when DNS does not say in time. */
export function isPartnerInUse(ctx: ServiceContext, hostname: string): Promise<boolean> {
  const partner = partnerName(hostname);
  if (partner === null) return Promise.resolve(false);
  const { runtime, actor, signal } = ctx;
  return withBudget(observeBudgetMs, signal, async (inner) => {
    const resolver = runtime.dns.resolverFor(actor.environment, partner);
    const seen = await orElse(inner, observeName(runtime, resolver, partner, inner), null);
    return seen?.records.some((record) => leadsElsewhere(record, ctx)) ?? false;
  });
}

function leadsElsewhere({ type, value }: DnsRecord, { runtime }: ServiceContext): boolean {
  const { edgeCname, edgeIpv4, edgeIpv6 } = runtime.config;
  if (type === "CNAME" || type === "ALIAS") return !isEdgeName(edgeCname, value);
  if (type === "A") return !edgeIpv4.includes(value);
  return type === "AAAA" && !edgeIpv6.includes(value);
}

/**
 * The pair of a checked name. One that is there keeps its direction; otherwise the typed one is the
 * main one, but the apex cannot be where it can resolve to nothing.
 */
export function checkedPair(
  ctx: ServiceContext,
  check: { readonly hostname: string; readonly manifest: ProviderManifest | null },
  other: PairHolding & Pick<CheckedPair, "otherInUse">,
): CheckedPair | null {
  const pair = findPair(check.hostname);
  if (pair === null) return null;
  const { edgeIpv4, edgeIpv6 } = ctx.runtime.config;
  const canFlatten = check.manifest !== null && check.manifest.apexFlattening !== "none";
  const canServeApex = canFlatten || edgeIpv4.length + edgeIpv6.length > 0;
  const main: PairSide = (other.main ?? check.hostname) === pair.apex ? "apex" : "www";
  const { otherClaim, otherInUse } = other;
  return { ...pair, otherClaim, otherInUse, recommended: canServeApex ? main : "www" };
}
