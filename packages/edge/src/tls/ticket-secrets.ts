import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type { Log } from "../config/settings.ts";
import { type StoredTicketKey, ticketKeyContext } from "../db/ticket-keys.ts";
import type { KeyFeed } from "../feed/feed.ts";
import type { TicketSecret } from "./session-tickets.ts";
import { openingSecrets, sealingSecret } from "./ticket-schedule.ts";

/**
 * The secrets of session tickets, shared by all edges and changed every 12 hours. Without the feed
 * the known ones are used for their time, and after that one of this process alone: its tickets are
 * opened nowhere else, and a client then makes a full handshake.
 */
export interface TicketSecrets {
  /** First the one that seals new tickets; a new array after every change. */
  current(): readonly TicketSecret[];
  /** Reads the secrets again. */
  refresh(): Promise<void>;
  stop(): void;
}

export interface TicketSecretsParts {
  readonly keys: Pick<KeyFeed, "ticketKeys">;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
}

interface OpenedSecret extends TicketSecret {
  readonly startsAt: Date;
}

const refreshMs = 60_000;
const secretBytes = 32;

export async function startTicketSecrets(parts: TicketSecretsParts): Promise<TicketSecrets> {
  const { clock, log } = parts;
  let shared: readonly OpenedSecret[] = [];
  let own: readonly OpenedSecret[] = [];
  let current: readonly OpenedSecret[] = [];

  const choose = (): void => {
    const now = clock.now();
    shared = openingSecrets(shared, now);
    own = openingSecrets(own, now);
    let sealing = sealingSecret(shared, now) ?? sealingSecret(own, now);
    if (sealing === null) {
      sealing = newSecret(now);
      own = [sealing, ...own];
    }
    const all = [sealing, ...[...shared, ...own].filter((secret) => secret !== sealing)];
    const isSame = all.length === current.length && all.every((one, at) => one === current[at]);
    if (!isSame) current = all;
  };

  const refresh = async (): Promise<void> => {
    try {
      const stored = await parts.keys.ticketKeys();
      const known = new Map(shared.map((secret) => [secret.id, secret]));
      shared = stored.flatMap((key) => known.get(key.id) ?? openKey(parts, key) ?? []);
    } catch (error) {
      log.warn({ err: error }, "ticket keys not read, using the previous ones");
    }
    choose();
  };

  const timer = setInterval(() => void refresh(), refreshMs);
  timer.unref();
  await refresh();
  return { current: () => current, refresh, stop: () => clearInterval(timer) };
}

export function newSecret(startsAt: Date): OpenedSecret {
  return { id: randomUUID(), secret: randomBytes(secretBytes), startsAt };
}

/**
 * Null for one that does not open, for example after the loss of its root key: the others are used.
 */
function openKey(
  { vault, log }: TicketSecretsParts,
  { id, sealed, startsAt }: StoredTicketKey,
): OpenedSecret | null {
  try {
    return { id, secret: vault.open("ticket_key", ticketKeyContext(id), sealed), startsAt };
  } catch (error) {
    log.error({ err: error, keyId: id }, "ticket key cannot be used");
    return null;
  }
}
