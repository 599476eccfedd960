import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import {
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from "@nats-io/transport-node";
import type { NatsSettings } from "../../config/settings.ts";

/**
 * A connection that lasts as long as the process: it is made when a server answers, and made again
 * whenever it is lost. Several servers are tried in turn. Before it is made, the signal ends the
 * attempts.
 */
export async function openNats(
  settings: NatsSettings,
  name: string,
  { signal, onError }: { readonly signal: AbortSignal; readonly onError: (error: unknown) => void },
): Promise<NatsConnection> {
  const options = createOptions(settings, name);
  for (;;) {
    signal.throwIfAborted();
    try {
      return await connect(options);
    } catch (error) {
      onError(error);
    }
    await delay(reconnectMs, undefined, { signal });
  }
}

const pingMs = 5_000;
const reconnectMs = 500;

function createOptions(settings: NatsSettings, name: string): NodeConnectionOptions {
  const [first] = settings.NATS_URL;
  const { username, password } = new URL(first ?? "nats://none");
  const credentials = settings.NATS_CREDENTIALS_FILE;
  return {
    name,
    servers: settings.NATS_URL.map((url) => new URL(url).host),
    maxReconnectAttempts: -1,
    // A password that is changed at the server first must not end the connection for good.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: reconnectMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    timeout: 2_000,
    ...(username === "" ? {} : createUser(username, password)),
    ...(credentials === null
      ? {}
      : { authenticator: credsAuthenticator(readFileSync(credentials)) }),
    ...createTls(settings),
  };
}

/** A name without a password is a token, as for other clients. */
function createUser(username: string, password: string): NodeConnectionOptions {
  const name = decodeURIComponent(username);
  return password === "" ? { token: name } : { user: name, pass: decodeURIComponent(password) };
}

function createTls(settings: NatsSettings): NodeConnectionOptions {
  const {
    NATS_CA_FILE: caFile,
    NATS_CERTIFICATE_FILE: certFile,
    NATS_KEY_FILE: keyFile,
  } = settings;
  const isWanted = settings.NATS_URL.some((url) => url.startsWith("tls:"));
  if (!isWanted && caFile === null && certFile === null) return {};
  return {
    tls: {
      ...(caFile === null ? {} : { caFile }),
      ...(certFile === null ? {} : { certFile }),
      ...(keyFile === null ? {} : { keyFile }),
    },
  };
}
