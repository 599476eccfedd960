import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import { needsNewKey } from "../../assertion/signing-keys.ts";
import {
  addAssertionKey,
  assertionKeyContext,
  loadAssertionKeys,
  type StoredAssertionKey,
} from "../../db/assertion-keys.ts";
import {
  loadTicketKeys,
  rotateTicketKeys,
  type StoredTicketKey,
  ticketKeyContext,
} from "../../db/ticket-keys.ts";
import { deleteBefore, nextStart } from "../../tls/ticket-schedule.ts";
import { newSecret } from "../../tls/ticket-secrets.ts";
import type { KeyFeed } from "../feed.ts";

interface KeyParts {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
}

/**
 * The keys in the database. Reading makes one when the next is due, and deletes those whose time
 * has ended.
 */
export function createPostgresKeys(parts: KeyParts): KeyFeed {
  return {
    ticketKeys: () => readTicketKeys(parts),
    assertionKeys: () => readAssertionKeys(parts),
  };
}

async function readTicketKeys({ pool, vault, clock }: KeyParts): Promise<StoredTicketKey[]> {
  const now = clock.now();
  const make = (keys: readonly StoredTicketKey[]): StoredTicketKey | null => {
    const startsAt = nextStart(keys, now);
    return startsAt === null ? null : createTicketKey(vault, startsAt);
  };
  const oldest = deleteBefore(now);
  const keys = await loadTicketKeys(pool);
  const isDue = nextStart(keys, now) !== null || keys.some(({ startsAt }) => startsAt < oldest);
  return isDue ? rotateTicketKeys(pool, make, { now, deleteBefore: oldest }) : keys;
}

function createTicketKey(vault: Vault, startsAt: Date): StoredTicketKey {
  const { id, secret } = newSecret(startsAt);
  return { id, sealed: vault.seal("ticket_key", ticketKeyContext(id), secret), startsAt };
}

async function readAssertionKeys(parts: KeyParts): Promise<StoredAssertionKey[]> {
  const { pool, clock } = parts;
  const isWanted = (keys: readonly StoredAssertionKey[]) => needsNewKey(keys, clock.now());
  const keys = await loadAssertionKeys(pool);
  return isWanted(keys) ? addAssertionKey(pool, isWanted, () => createAssertionKey(parts)) : keys;
}

function createAssertionKey({ vault, clock }: KeyParts): StoredAssertionKey {
  const id = randomUUID();
  const pair = generateKeyPairSync("ed25519");
  const der = pair.privateKey.export({ format: "der", type: "pkcs8" });
  return {
    id,
    publicJwk: pair.publicKey.export({ format: "jwk" }),
    sealed: vault.seal("assertion_signing", assertionKeyContext(id), der),
    createdAt: clock.now(),
  };
}
