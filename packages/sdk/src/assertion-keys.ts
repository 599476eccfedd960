import { AssertionVerificationError } from "./assertion-error.ts";

/** A key set as the service publishes it (RFC 7517 §5, RFC 8037 §2). */
export interface JwkSet {
  readonly keys: readonly object[];
}

/** A public key, made ready for checking signatures. */
export type VerifyingKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The key with that id, if the set has it and it is one for Ed25519. */
export async function keyIn(set: JwkSet, keyId: string): Promise<VerifyingKey | null> {
  const found = set.keys.find((key) => "kid" in key && key.kid === keyId);
  if (found === undefined || !isEd25519(found)) return null;
  // Only the public part: whatever else a set holds is not for us.
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

/** A key set that is fetched when needed. */
export interface FetchedKeys {
  find(keyId: string): Promise<VerifyingKey | null>;
}

/** Fresh for as long as the service says; a new key is published an hour before it signs. */
const freshMs = 300_000;
/** Unknown ids, which anybody can send, make us ask again no more often than this. */
const againMs = 10_000;
const timeoutMs = 5_000;

const known = new Map<string, FetchedKeys>();

/** One for each address, shared by all calls. */
export function keysAt(url: string, fetch: typeof globalThis.fetch): FetchedKeys {
  const kept = known.get(url);
  if (kept) return kept;
  const made = createFetchedKeys(url, fetch);
  known.set(url, made);
  return made;
}

/** Goes on with the keys it has while the service is away. */
export function createFetchedKeys(
  url: string,
  fetch: typeof globalThis.fetch,
  monotonicMs: () => number = () => performance.now(),
): FetchedKeys {
  let keys: ReadonlyMap<string, VerifyingKey> | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  const refresh = async (): Promise<void> => {
    triedAt = monotonicMs();
    keys = await importAll(await fetchSet(url, fetch));
    fetchedAt = triedAt;
  };

  /** One at a time; who comes meanwhile waits for the same. */
  const shared = (): Promise<void> => {
    fetching ??= refresh().finally(() => {
      fetching = null;
    });
    return fetching;
  };

  return {
    async find(keyId) {
      const isStale = monotonicMs() - fetchedAt >= freshMs || !keys?.has(keyId);
      const mayAsk = keys === null || monotonicMs() - triedAt >= againMs;
      if (isStale && (mayAsk || fetching !== null)) {
        await shared().catch((error: unknown) => {
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
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`the key set was answered ${response.status}`);
  const body: unknown = await response.json();
  if (!isSet(body)) throw new Error("the answer is no key set");
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
