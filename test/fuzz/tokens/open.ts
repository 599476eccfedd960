import assert from "node:assert/strict";
import { sign } from "node:crypto";
import fc from "fast-check";
import type { FuzzTarget } from "../target.ts";
import { issueCredentials, type Kind, kinds, strangeKey } from "./credentials.ts";
import { type Mutation, mutated, mutations } from "./mutation.ts";

/** How a good credential becomes a forged one. */
export interface Forgery {
  readonly kind: Kind;
  readonly how: "text" | "bytes" | "claims" | "header" | "resign" | "other";
  /** Whose text is used instead, for `other`. */
  readonly other: Kind;
  readonly changes: readonly Mutation[];
  readonly claim: readonly [name: string, value: unknown];
}

const claimNames = [
  "sub",
  "tid",
  "host",
  "app",
  "cus",
  "env",
  "exp",
  "iat",
  "aud",
  "iss",
  "alg",
  "typ",
  "kid",
  "crit",
];

const forgeries: fc.Arbitrary<Forgery> = fc.record<Forgery>({
  kind: fc.constantFrom(...kinds),
  how: fc.constantFrom(
    ...(["text", "text", "bytes", "claims", "header", "resign", "other"] as const),
  ),
  other: fc.constantFrom(...kinds),
  changes: mutations,
  claim: fc.tuple(
    fc.constantFrom(...claimNames),
    fc.oneof(
      fc.constantFrom<unknown>("none", "HS256", "live", "*", null, 0, 9_999_999_999, [], {}),
      fc.string({ maxLength: 12 }),
    ),
  ),
});

/**
 * Credentials that are not ours: changed texts, changed octets under the encoding, changed claims,
 * other keys, and a good one of another kind. Harm is that one is accepted, or an error of ours.
 */
export async function openTokensTarget(): Promise<FuzzTarget<Forgery>> {
  const credentials = await issueCredentials();
  for (const kind of kinds) {
    if (kind === "idempotency") continue;
    const { good, accepts } = credentials.of[kind];
    assert.ok(await accepts(good), `the good ${kind} is refused`);
  }
  let count = 0;
  return {
    inputs: forgeries,
    maxGrowthBytes: 200 * 1_048_576,
    count: () => count,
    async attempt(forgery) {
      const { good, accepts } = credentials.of[forgery.kind];
      const text = forged(good, credentials.of[forgery.other].good, forgery);
      if (isSame(forgery.kind, text, good)) return;
      count += 1;
      assert.ok(!(await accepts(text)), `${forgery.kind} accepted: ${text}`);
    },
    close: () => credentials.close(),
  };
}

/** HTTP removes blanks around a value; JSON of a webhook is signed as it is. */
function isSame(kind: Kind, text: string, good: string): boolean {
  return text === good || (kind !== "webhook" && text.trim() === good);
}

function forged(good: string, other: string, { how, changes, claim }: Forgery): string {
  if (how === "text") return mutated(good, changes);
  if (how === "other") return other;
  const [head = "", body = "", signature = ""] = good.split(".");
  if (how === "bytes" || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(good)) {
    const bytes = Buffer.from(good, "base64url");
    const changed = mutated(bytes.toString("latin1"), changes);
    return Buffer.from(changed, "latin1").toString("base64url");
  }
  if (how === "header") return `${withClaim(head, claim)}.${body}.${signature}`;
  if (how === "claims") return `${head}.${withClaim(body, claim)}.${signature}`;
  const signed = `${head}.${withClaim(body, claim)}`;
  return `${signed}.${sign(null, Buffer.from(signed), strangeKey()).toString("base64url")}`;
}

function withClaim(part: string, [name, value]: Forgery["claim"]): string {
  const fields = JSON.parse(Buffer.from(part, "base64url").toString()) as object;
  return Buffer.from(JSON.stringify({ ...fields, [name]: value })).toString("base64url");
}
