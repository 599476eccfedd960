import type { TransparencyLog } from "../../domain/transparency/log-list.ts";
import type { LogClient } from "./log-client.ts";
import { createRfc6962Client } from "./rfc6962-client.ts";
import type { SendToLog } from "./send-to-log.ts";
import { createStaticClient } from "./static-client.ts";

export function createLogClient(log: TransparencyLog, send: SendToLog): LogClient {
  return log.kind === "rfc6962" ? createRfc6962Client(log, send) : createStaticClient(log, send);
}
