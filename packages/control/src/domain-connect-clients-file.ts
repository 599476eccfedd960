import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Config, ConfigError } from "./config.ts";
import type { DomainConnectClient } from "./domain/domain-connect.ts";

const text = z.string().min(1).max(2_048);
const Clients = z.array(
  z.strictObject({
    provider_id: text,
    url_api: z
      .url({ protocol: /^https$/, error: "expected an https URL" })
      .transform((url) => url.replace(/\/+$/, "")),
    client_id: text,
    client_secret: text,
  }),
);

/** The DNS providers that have given this installation a client for their asynchronous flow. */
export function loadDomainConnectClients(
  config: Pick<Config, "DOMAIN_CONNECT_CLIENTS_FILE">,
): readonly DomainConnectClient[] {
  const file = config.DOMAIN_CONNECT_CLIENTS_FILE;
  if (file === null) return [];
  const clients = readClients(file);
  const ids = clients.map(({ provider_id: id }) => id);
  if (new Set(ids).size < ids.length) throw refused(file, "a provider_id occurs twice");
  return clients.map((client) => ({
    providerId: client.provider_id,
    urlAPI: client.url_api,
    clientId: client.client_id,
    clientSecret: client.client_secret,
  }));
}

/** What is wrong is told by its place: the file holds secrets, which must not reach a message. */
function readClients(file: string): z.output<typeof Clients> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw refused(file, "cannot be read as JSON");
  }
  const parsed = Clients.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw refused(file, problems.join("; "));
}

function refused(file: string, why: string): ConfigError {
  return new ConfigError([`DOMAIN_CONNECT_CLIENTS_FILE: ${file}: ${why}`]);
}
