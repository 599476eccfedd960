import { readSigningKeys, type SigningKeyRow } from "../db/queries/secrets.ts";
import { publishedKeys } from "../domain/key-set.ts";
import type { Runtime } from "./runtime.ts";

/** The public halves of all keys that sign for this installation, as a JWK set (RFC 7517 §5). */
export interface KeySet {
  readonly keys: readonly object[];
}

/** Anybody may ask, as often as they like: the database is asked once in this time. */
const keptMs = 1_000;

export function createKeySet(runtime: Pick<Runtime, "database" | "clock">): () => Promise<KeySet> {
  let kept: { readonly set: Promise<KeySet>; readonly until: number } | null = null;
  return () => {
    if (kept === null || performance.now() >= kept.until) {
      const set = readKeySet(runtime);
      const mine = { set, until: performance.now() + keptMs };
      kept = mine;
      set.catch(() => {
        if (kept === mine) kept = null; // told to whoever asked
      });
    }
    return kept.set;
  };
}

async function readKeySet({
  database,
  clock,
}: Pick<Runtime, "database" | "clock">): Promise<KeySet> {
  const [widget, assertion] = await Promise.all([
    readSigningKeys(database, "widget"),
    readSigningKeys(database, "assertion"),
  ]);
  const now = clock.now();
  const rows = [...publishedKeys(widget, now), ...publishedKeys(assertion, now)];
  return { keys: rows.map(toPublic) };
}

function toPublic({ id, publicJwk: { kty, crv, x } }: SigningKeyRow): object {
  return { kty, crv, x, kid: id, alg: "EdDSA", use: "sig" };
}
