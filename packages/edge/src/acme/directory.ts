import { type JsonObject, objectOf, optionalUrlIn, readJson, urlOf } from "./json.ts";
import { shareOne } from "./single-flight.ts";
import { createExchange, fetchPlain, type Transport } from "./transport.ts";

/** What a CA offers (RFC 8555 §7.1.1). */
export interface Directory {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly revokeCert: string;
  readonly keyChange: string;
  /** Null where the CA has no ARI (RFC 9773 §4). */
  readonly renewalInfo: string | null;
  readonly isExternalAccountRequired: boolean;
  /** The names of the certificate profiles on offer; empty where the CA has none. */
  readonly profiles: readonly string[];
}

export type DirectorySource = (signal: AbortSignal) => Promise<Directory>;

/** CAs change what they offer rarely, and announce it. */
const directoryCacheMs = 3_600_000;

/** Fetches when first needed and then hourly; while the CA is away the last one is used. */
export function createDirectorySource(url: string, transport: Transport): DirectorySource {
  const exchange = createExchange(transport);
  let last: { readonly directory: Directory; readonly until: number } | null = null;
  return shareOne(async (signal) => {
    const now = transport.clock.now().getTime();
    if (last !== null && now < last.until) return last.directory;
    try {
      const answer = await fetchPlain(transport, exchange, { method: "GET", url }, signal);
      last = { directory: readDirectory(readJson(answer), url), until: now + directoryCacheMs };
      return last.directory;
    } catch (error) {
      signal.throwIfAborted();
      if (last === null) throw error;
      return last.directory;
    }
  });
}

function readDirectory(body: JsonObject, url: string): Directory {
  const meta = body["meta"] === undefined ? {} : objectOf(body["meta"], "meta");
  const profiles = meta["profiles"];
  return {
    newNonce: urlOf(body["newNonce"], url),
    newAccount: urlOf(body["newAccount"], url),
    newOrder: urlOf(body["newOrder"], url),
    revokeCert: urlOf(body["revokeCert"], url),
    keyChange: urlOf(body["keyChange"], url),
    renewalInfo: optionalUrlIn(body, "renewalInfo", url),
    isExternalAccountRequired: meta["externalAccountRequired"] === true,
    profiles: profiles === undefined ? [] : Object.keys(objectOf(profiles, "profiles")),
  };
}
