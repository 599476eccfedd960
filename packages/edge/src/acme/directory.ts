import { createSingleFlight } from "@mooring/concurrency";
import { type JsonObject, optionalUrlIn, readJson, readObject, resolveUrl } from "./json.ts";
import { createSend, fetchPlain, type Transport } from "./transport.ts";

/** The directory of a CA (RFC 8555 §7.1.1), as far as it is used. */
interface Directory {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  /** Null where the CA has no ARI (RFC 9773 §4). */
  readonly renewalInfo: string | null;
  /** The names of the offered certificate profiles; empty where the CA has none. */
  readonly profiles: readonly string[];
}

export type DirectorySource = (signal: AbortSignal) => Promise<Directory>;

/** CAs rarely change their directory, and announce it. */
const directoryCacheMs = 3_600_000;

/** Fetches on first use and then hourly; if the CA is unreachable, the last directory is used. */
export function createDirectorySource(url: string, transport: Transport): DirectorySource {
  const send = createSend(transport);
  let last: { readonly directory: Directory; readonly until: number } | null = null;
  const read = async (signal: AbortSignal): Promise<Directory> => {
    const now = transport.clock.now().getTime();
    if (last !== null && now < last.until) return last.directory;
    try {
      const answer = await fetchPlain(transport, send, { method: "GET", url }, signal);
      last = { directory: readDirectory(readJson(answer), url), until: now + directoryCacheMs };
      return last.directory;
    } catch (error) {
      signal.throwIfAborted();
      if (last === null) throw error;
      return last.directory;
    }
  };
  const share = createSingleFlight<Directory>();
  return (signal) => share(url, signal, read);
}

function readDirectory(body: JsonObject, url: string): Directory {
  const meta = body["meta"] === undefined ? {} : readObject(body["meta"], "meta");
  const profiles = meta["profiles"];
  return {
    newNonce: resolveUrl(body["newNonce"], url),
    newAccount: resolveUrl(body["newAccount"], url),
    newOrder: resolveUrl(body["newOrder"], url),
    renewalInfo: optionalUrlIn(body, "renewalInfo", url),
    profiles: profiles === undefined ? [] : Object.keys(readObject(profiles, "profiles")),
  };
}
