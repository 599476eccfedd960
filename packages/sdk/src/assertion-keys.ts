import { AssertionVerificationError } from "./errors.ts";

/** A key set in the form that the service publishes (RFC 7517 §5, RFC 8037 §2). */
export interface JwkSet {
  readonly keys: readonly object[];
}

/** An imported public key that verifies signatures. */
export type VerifyingKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Returns the key with this id, or null when the set has no such Ed25519 key. */
export async function keyIn(set: JwkSet, keyId: string): Promise<VerifyingKey | null> {
  const found = set.keys.find((key) => "kid" in key && key.kid === keyId);
  if (found === undefined || !isEd25519(found)) return null;
  // Only the public members; others are ignored.
  const jwk = { kty: "OKP", crv: "Ed25519", x: found.x };
  try {
    return await crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return null;
  }
}

function isEd25519(key: object): key is { readonly x: string } {
  return (
    "kty" in key &&
    key.kty === "OKP" &&
    "crv" in key &&
    key.crv === "Ed25519" &&
    "x" in key &&
    typeof key.x === "string"
  );
}

/** A key set that is fetched on demand and cached. */
export interface CachedKeySet {
  find(keyId: string): Promise<VerifyingKey | null>;
}

/** The max-age of the published set. The service publishes a new key an hour before it signs. */
const maxAgeMs = 300_000;
/** Any client can send unknown key ids, so they cause at most one fetch in this time. */
const minRefetchMs = 10_000;
const timeoutMs = 5_000;

const keySets = new Map<string, CachedKeySet>();

/** Returns the key set of this address; all calls share it. */
export function keySetAt(url: string, fetch: typeof globalThis.fetch): CachedKeySet {
  const existing = keySets.get(url);
  if (existing) return existing;
  const created = createKeySet(url, fetch);
  keySets.set(url, created);
  return created;
}

/** While the service is unreachable, `find` uses the keys of the last successful fetch. */
export function createKeySet(
  url: string,
  fetch: typeof globalThis.fetch,
  monotonicMs: () => number = () => performance.now(),
): CachedKeySet {
  let keys: ReadonlyMap<string, VerifyingKey> | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  const refresh = async (): Promise<void> => {
    triedAt = monotonicMs();
    keys = await importAll(await fetchSet(url, fetch));
    fetchedAt = triedAt;
  };

  /** At most one fetch is in flight; concurrent callers wait for it. */
  const sharedRefresh = (): Promise<void> => {
    fetching ??= refresh().finally(() => {
      fetching = null;
    });
    return fetching;
  };

  return {
    async find(keyId) {
      const isStale = monotonicMs() - fetchedAt >= maxAgeMs || !keys?.has(keyId);
      const mayFetch = keys === null || monotonicMs() - triedAt >= minRefetchMs;
      if (isStale && (mayFetch || fetching !== null)) {
        await sharedRefresh().catch((error: unknown) => {
          if (!keys?.has(keyId)) throw unavailable(error);
        });
      }
      return keys?.get(keyId) ?? null;
    },
  };
}

async function fetchSet(url: string, fetch: typeof globalThis.fetch): Promise<JwkSet> {
  const response = await fetch(url, {
    headers: { accept: "application/jwk-set+json, application/json" },
    // Workers refuse `error`. A redirect has another status than 200, in a browser 0.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`the key set has status ${response.status}`);
  const body: unknown = await response.json();
  if (!isSet(body)) throw new Error("the response is not a key set");
  return body;
}

function isSet(body: unknown): body is JwkSet {
  if (typeof body !== "object" || body === null || !("keys" in body)) return false;
  const { keys } = body;
  return Array.isArray(keys) && keys.every((key) => typeof key === "object" && key !== null);
}

async function importAll(set: JwkSet): Promise<ReadonlyMap<string, VerifyingKey>> {
  const keys = new Map<string, VerifyingKey>();
  for (const jwk of set.keys) {
    if (!("kid" in jwk) || typeof jwk.kid !== "string") continue;
    const key = await keyIn(set, jwk.kid);
    if (key !== null) keys.set(jwk.kid, key);
  }
  return keys;
}

function unavailable(cause: unknown): AssertionVerificationError {
  const message = "the service's keys could not be fetched";
  return new AssertionVerificationError("keys_unavailable", message, { cause });
}
