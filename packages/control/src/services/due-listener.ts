import { type Listener, listen } from "@mooring/postgres";
import { dueChannel } from "../db/queries/connections/due-connections.ts";
import { workerSession } from "../db/queries/operator/worker-sessions.ts";
import type { Runtime } from "./runtime.ts";

/** Calls `onDue` with the name of a table when one of its rows becomes due. */
export function listenForDue(
  runtime: Runtime,
  databaseUrl: string,
  onDue: (table: string) => void,
): Listener {
  return listen({
    url: databaseUrl,
    channels: [dueChannel],
    applicationName: workerSession,
    onNotification: (_channel, table) => onDue(table),
    onError: (error) =>
      runtime.log.warn({ err: error }, "notification listener interrupted, polling continues"),
  });
}
