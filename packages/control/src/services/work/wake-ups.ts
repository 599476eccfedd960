import { type Listener, listen } from "../../db/listen.ts";
import { dueChannel } from "../../db/queries/due-connections.ts";
import type { Runtime } from "../runtime.ts";

/** Calls back with the table in which something has become due. */
export function listenForDue(
  runtime: Runtime,
  databaseUrl: string,
  onDue: (table: string) => void,
): Listener {
  return listen({
    url: databaseUrl,
    channel: dueChannel,
    onNotification: onDue,
    onError: (error) =>
      runtime.log.warn({ err: error }, "listening interrupted, polling meanwhile"),
  });
}
