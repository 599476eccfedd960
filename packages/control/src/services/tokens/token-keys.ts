import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import type { Vault } from "@mooring/vault";
import type { Database } from "../../db/engine/pool.ts";
import type { Transactions } from "../../db/engine/transaction.ts";
import {
  insertSigningKey,
  readSigningKeys,
  type SigningKeyRow,
  selectSigningKeys,
} from "../../db/queries/secrets.ts";
import { lockBootstrap } from "../../db/queries/tenants.ts";
import type { Clock } from "../../domain/clock.ts";
import { newId } from "../../domain/id.ts";

/** A new pair takes over after this long; the old one goes on verifying what it signed. */
const rotateAfterMs = 90 * 86_400_000;
/** Unknown key ids are looked up again at most this often, so that junk tokens cost no queries. */
const reloadEveryMs = 100;

export interface TokenKeys {
  /** The pair that signs now; made on first use, one for all processes. */
  current(): Promise<{ readonly id: string; readonly privateKey: KeyObject }>;
  /** The public half of a key that has not been retired. */
  publicKey(id: string): Promise<KeyObject | null>;
}

interface Needs extends Pick<Transactions, "transaction"> {
  readonly clock: Clock;
  readonly database: Database;
  readonly vault: Vault;
}

export function createTokenKeys(runtime: Needs): TokenKeys {
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
      const der = runtime.vault.open("token_signing", sealContext(row.id), row.sealed);
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

function generate(runtime: Needs): SigningKeyRow {
  const createdAt = runtime.clock.now();
  const id = newId(createdAt);
  const pair = generateKeyPairSync("ed25519");
  const der = pair.privateKey.export({ format: "der", type: "pkcs8" });
  return {
    id,
    purpose: "widget",
    publicJwk: pair.publicKey.export({ format: "jwk" }),
    sealed: runtime.vault.seal("token_signing", sealContext(id), der),
    createdAt,
    retiredAt: null,
  };
}

export function sealContext(id: string) {
  return { tenant: null, table: "signing_keys", row: id, column: "sealed" };
}
