import { lockConnection } from "../../db/queries/connections/connections.ts";
import {
  lockNotified,
  type NotifiedName,
  selectNames,
  storeNotified,
} from "../../db/queries/registrations/registered-names.ts";
import { nextSequence } from "../../db/queries/sending/sending-domains.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import {
  dueNotice,
  type Registration,
  registrationSnapshot,
} from "../../domain/registrations/registration.ts";
import type { Runtime } from "../runtime.ts";

const pieceSize = 200;

/**
 * Tells every connection below the domain that its registration ends, each once: the note of it is
 * in the transaction of the event. What an abort leaves is sent by the next run.
 */
export async function sendNotices(
  runtime: Runtime,
  registration: Registration,
  signal: AbortSignal,
): Promise<void> {
  const { domain, expiresAt } = registration;
  if (dueNotice(expiresAt, null, runtime.clock.now()) === null) return;
  let afterId: string | null = null;
  do {
    const after: string | null = afterId;
    const names: readonly NotifiedName[] = await runtime.system((tx) =>
      selectNames(tx, domain, after, pieceSize),
    );
    for (const { connectionId, notified } of names) {
      signal.throwIfAborted();
      if (dueNotice(expiresAt, notified, runtime.clock.now()) === null) continue;
      await sendNotice(runtime, registration, connectionId);
    }
    afterId = names.length < pieceSize ? null : (names.at(-1)?.connectionId ?? null);
  } while (afterId !== null);
}

async function sendNotice(
  runtime: Runtime,
  registration: Registration,
  connectionId: string,
): Promise<void> {
  await runtime.system(async (tx) => {
    // The connection first: every writer takes the locks in this order.
    const before = await lockConnection(tx, connectionId);
    if (before === null || before.state === "archived") return;
    const name = await lockNotified(tx, connectionId);
    const now = runtime.clock.now();
    const { expiresAt } = registration;
    const days = name && dueNotice(expiresAt, name.notified, now);
    if (days === null || expiresAt === null) return;
    await nextSequence(tx, connectionId, now);
    const connection = await lockConnection(tx, connectionId);
    if (connection === null) return;
    await insertEvent(tx, connection, {
      type: "domain.expiring",
      sequence: connection.sequence,
      at: now,
      data: { registration: registrationSnapshot(registration) },
    });
    await storeNotified(tx, connectionId, { expiresAt, days });
  });
}
