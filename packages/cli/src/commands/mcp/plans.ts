import { randomBytes } from "node:crypto";
import type { Mooring } from "@mooring/sdk";
import { ApiError } from "@mooring/sdk";
import { type Change, type Preview, previewChange } from "./changes.ts";
import { hashValue, refusal } from "./reply.ts";

const lifetimeMs = 15 * 60_000;
/** A key keeps its newest plans. */
const maxPlansPerKey = 100;

/** A change that was shown and can be carried out once, after a person has confirmed it. */
export interface Plan {
  readonly id: string;
  readonly change: Change;
  readonly title: string;
  readonly effects: readonly string[];
  readonly expiresAt: Date;
  readonly isConfirmed: boolean;
}

interface StoredPlan extends Plan {
  /** Digest of the API key that planned it: nobody else carries it out. */
  readonly owner: string;
  /** Of what was shown: a plan whose effects have changed since is another plan. */
  readonly digest: string;
}

/** Plans of this process. They end with it, and after a quarter of an hour. */
export interface Plans {
  /** Null when the change cannot be carried out. */
  add(apiKey: string, change: Change, preview: Preview): Plan | null;
  /** The plan of this key, if it would still do what it showed; otherwise throws what to do. */
  require(client: Mooring, apiKey: string, id: string): Promise<Plan>;
  /**
   * The same for the person who confirms, with a key that is not the planner's and may make the
   * change. The API decides whether it is of the same tenant and what it may do.
   */
  requireForConfirmation(client: Mooring, apiKey: string, id: string): Promise<Plan>;
  confirm(id: string): void;
  /** Takes it away for carrying it out. False when it is no longer there: it is used once. */
  take(id: string): boolean;
}

export function createPlans(now: () => number): Plans {
  const plans = new Map<string, StoredPlan>();
  const live = (id: string): StoredPlan => {
    const plan = plans.get(id);
    if (plan === undefined) throw unknownPlan();
    if (plan.expiresAt.getTime() > now()) return plan;
    plans.delete(id);
    throw refusal("plan_expired", "This plan has expired: plan again and ask a person again.");
  };
  return {
    add(apiKey, change, preview) {
      if (preview.obstacle !== null) return null;
      const owner = hashValue(apiKey);
      forget(plans, owner, now());
      const { title, effects } = preview;
      const plan: StoredPlan = {
        id: randomBytes(16).toString("base64url"),
        change,
        title,
        effects,
        owner,
        digest: shownDigest(preview),
        expiresAt: new Date(now() + lifetimeMs),
        isConfirmed: false,
      };
      plans.set(plan.id, plan);
      return plan;
    },
    async require(client, apiKey, id) {
      // An expired plan of somebody else is as unknown as any.
      if (plans.get(id)?.owner !== hashValue(apiKey)) throw unknownPlan();
      return unchanged(client, live(id));
    },
    async requireForConfirmation(client, apiKey, id) {
      const plan = live(id);
      // First, so that the key of another tenant learns nothing about the plan.
      await unchanged(client, plan);
      if (plan.owner === hashValue(apiKey)) {
        throw refusal(
          "forbidden",
          "The key that made a plan cannot confirm it: use a key of your own.",
        );
      }
      await requireWrite(client);
      return plan;
    },
    confirm(id) {
      plans.set(id, { ...live(id), isConfirmed: true });
    },
    take: (id) => plans.delete(id),
  };
}

/** Drops what has expired, and the oldest plans of a key that has many. */
function forget(plans: Map<string, StoredPlan>, owner: string, nowMs: number): void {
  for (const [id, { expiresAt }] of plans) if (expiresAt.getTime() <= nowMs) plans.delete(id);
  const own = [...plans.values()].filter((plan) => plan.owner === owner);
  for (const { id } of own.slice(0, own.length - maxPlansPerKey + 1)) plans.delete(id);
}

async function unchanged(client: Mooring, plan: StoredPlan): Promise<Plan> {
  const preview = await previewChange(client, plan.change).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") throw unknownPlan();
    throw error;
  });
  if (shownDigest(preview) === plan.digest) return plan;
  throw refusal(
    "plan_changed",
    "The zone has changed since this plan was made: plan again and ask a person again.",
  );
}

const nobody = "00000000-0000-0000-0000-000000000000";

/**
 * Throws the API's refusal of a key without `connections:write`. Scopes are decided before
 * the connection is read, and no connection has this id.
 */
async function requireWrite(client: Mooring): Promise<void> {
  await client.connections.update(nobody, { customer_ref: null }).catch((error: unknown) => {
    const isAllowed = error instanceof ApiError && error.code === "not_found";
    if (!isAllowed) throw error;
  });
}

function shownDigest({ title, effects, obstacle }: Preview): string {
  return hashValue([title, effects, obstacle]);
}

function unknownPlan(): Error {
  return refusal("plan_not_found", "There is no such plan: it is unknown, or was used already.");
}
