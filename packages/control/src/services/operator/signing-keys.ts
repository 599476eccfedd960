import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type { Database } from "../../db/engine/pool.ts";
import type { Transactions } from "../../db/engine/transaction.ts";
import {
  insertSigningKey,
  readSigningKeys,
  type SigningKeyRow,
  selectSigningKeys,
} from "../../db/queries/operator/secrets.ts";
import { lockBootstrap } from "../../db/queries/operator/tenants.ts";
import { newId } from "../../domain/id.ts";

/** A new pair signs after this long; the old one still verifies what it signed. */
const rotateAfterMs = 90 * 86_400_000;
/**
 * Keys are reloaded for an unknown key id at most this often, so that junk tokens cost no queries.
 */
const reloadEveryMs = 100;

export interface TokenKeys {
  /** The pair that signs now; created on first use, once for all processes. */
  current(): Promise<{ readonly id: string; readonly privateKey: KeyObject }>;
  /** The public half of a key that has not been retired. */
  publicKey(id: string): Promise<KeyObject | null>;
}

interface SigningKeyRuntime extends Pick<Transactions, "transaction"> {
  readonly clock: Clock;
  readonly database: Database;
  readonly vault: Vault;
}

export function createTokenKeys(runtime: SigningKeyRuntime): TokenKeys {
  let known: readonly SigningKeyRow[] = [];
  let loadedAt = Number.NEGATIVE_INFINITY;

  const reload = async (): Promise<readonly SigningKeyRow[]> => {
    if (performance.now() - loadedAt < reloadEveryMs) return known;
    const rows = await readSigningKeys(runtime.database, "widget");
    known = rows.filter((row) => row.retiredAt === null);
    loadedAt = performance.now();
    return known;
  };

  const isFresh = (row: SigningKeyRow | undefined): row is SigningKeyRow =>
    row !== undefined && runtime.clock.now().getTime() - row.createdAt.getTime() < rotateAfterMs;

  const make = async (): Promise<SigningKeyRow> => {
    const row = await runtime.transaction(async (tx) => {
      await lockBootstrap(tx);
      const newest = (await selectSigningKeys(tx, "widget")).find((key) => key.retiredAt === null);
      if (isFresh(newest)) return newest;
      const made = generate(runtime);
      await insertSigningKey(tx, made);
      return made;
    });
    known = [row, ...known.filter((other) => other.id !== row.id)];
    return row;
  };

  return {
    async current() {
      const newest = known[0] ?? (await reload())[0];
      const row = isFresh(newest) ? newest : await make();
      const der = runtime.vault.open("token_signing", signingKeyContext(row.id), row.sealed);
      return {
        id: row.id,
        privateKey: createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
      };
    },
    async publicKey(id) {
      const find = (rows: readonly SigningKeyRow[]) => rows.find((row) => row.id === id);
      const row = find(known) ?? find(await reload());
      return row ? createPublicKey({ key: row.publicJwk, format: "jwk" }) : null;
    },
  };
}

function generate(runtime: SigningKeyRuntime): SigningKeyRow {
  const createdAt = runtime.clock.now();
  const id = newId(createdAt);
  const pair = generateKeyPairSync("ed25519");
  const der = pair.privateKey.export({ format: "der", type: "pkcs8" });
  return {
    id,
    purpose: "widget",
    publicJwk: pair.publicKey.export({ format: "jwk" }),
    sealed: runtime.vault.seal("token_signing", signingKeyContext(id), der),
    createdAt,
    retiredAt: null,
  };
}

export function signingKeyContext(id: string) {
  return { tenant: null, table: "signing_keys", row: id, column: "sealed" };
}

/** The public halves of all keys that sign for this installation, as a JWK set (RFC 7517 §5). */
export interface KeySet {
  readonly keys: readonly object[];
}

/** The endpoint is public and not rate limited: the database is read at most once in this time. */
const keySetTtlMs = 1_000;

export function createKeySet(
  runtime: Pick<SigningKeyRuntime, "database" | "clock">,
): () => Promise<KeySet> {
  let cached: { readonly set: Promise<KeySet>; readonly until: number } | null = null;
  return () => {
    if (cached === null || performance.now() >= cached.until) {
      const set = readKeySet(runtime);
      const entry = { set, until: performance.now() + keySetTtlMs };
      cached = entry;
      set.catch(() => {
        if (cached === entry) cached = null; // the callers get the error, the cache does not
      });
    }
    return cached.set;
  };
}

async function readKeySet({
  database,
  clock,
}: Pick<SigningKeyRuntime, "database" | "clock">): Promise<KeySet> {
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

interface DatedKey {
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/**
 * Longer than a new key waits before it signs, and longer than anything lives that the old one
 * signed.
 */
const overlapMs = 2 * 86_400_000;

/**
 * The keys that may have signed something still valid, newest first: without the retired ones, and
 * without those whose successor is two days old.
 */
export function publishedKeys<K extends DatedKey>(keys: readonly K[], now: Date): readonly K[] {
  const usable = keys
    .filter((key) => key.retiredAt === null)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return usable.filter((_, index) => {
    const successor = usable[index - 1];
    return !successor || now.getTime() - successor.createdAt.getTime() < overlapMs;
  });
}
