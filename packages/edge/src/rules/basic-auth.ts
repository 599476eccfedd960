import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { type Fields, fieldValue } from "../http/fields.ts";

/** What a request shows: no credentials, the right pair or a wrong one, or one to compare. */
export type Shown = "absent" | "right" | "wrong" | Comparison;
/** Compares the pair; `busy` when too many wait for that. */
export type Comparison = () => Promise<"right" | "wrong" | "busy">;

/**
 * Compares the credentials of requests (RFC 7617) with a slow hash. A pair is hashed once in each
 * process; then it is known by a keyed digest, in a fixed number of them, the right and the wrong
 * ones. The digest is of the stored hash too: another password ends what was known.
 */
export interface BasicAuthCheck {
  read(fields: Fields, hash: string): Shown;
}

/** Pairs that are known. */
const maxKnown = 10_000;
/** Each takes 16 MB and a processor. */
const maxHashing = 1;
/** Pairs that wait to be hashed; more are refused, so that strangers cannot fill the memory. */
const maxQueue = 64;
/** RFC 7617 sets none; what the API accepts is shorter. */
const maxCredentials = 1_024;

export function createBasicAuthCheck(hashPair: HashPair = scryptPair): BasicAuthCheck {
  const secret = randomBytes(32);
  const known = new Map<string, boolean>();
  const inFlight = new Map<string, Promise<"right" | "wrong">>();
  const queue: (() => void)[] = [];
  let running = 0;

  async function compare(pair: string, hash: string): Promise<"right" | "wrong"> {
    if (running >= maxHashing) await new Promise<void>((resolve) => queue.push(resolve));
    running += 1;
    try {
      return (await matches(pair, hash, hashPair)) ? "right" : "wrong";
    } finally {
      running -= 1;
      queue.shift()?.();
    }
  }

  function remember(digest: string, isRight: boolean): void {
    known.delete(digest);
    known.set(digest, isRight);
    if (known.size <= maxKnown) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      break;
    }
  }

  return {
    read(fields, hash) {
      const header = fieldValue(fields, "authorization");
      if (header === null) return "absent";
      const pair = readPair(header);
      if (pair === null) return "absent";
      const digest = createHmac("sha256", secret).update(`${hash}\0${pair}`).digest("base64");
      const before = known.get(digest);
      if (before !== undefined) {
        remember(digest, before);
        return before ? "right" : "wrong";
      }
      return async () => {
        const asked = inFlight.get(digest);
        if (asked !== undefined) return asked;
        if (queue.length >= maxQueue) return "busy";
        const compared = compare(pair, hash);
        inFlight.set(digest, compared);
        const result = await compared;
        inFlight.delete(digest);
        remember(digest, result === "right");
        return result;
      };
    },
  };
}

/** `username:password`; null for another scheme or what is malformed. */
function readPair(header: string): string | null {
  const token = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header)?.[1];
  if (token === undefined || token.length > maxCredentials * 2) return null;
  const pair = Buffer.from(token, "base64").toString("utf8").normalize("NFC");
  return pair.includes(":") && pair.length <= maxCredentials ? pair : null;
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}
type HashPair = (pair: string, salt: Buffer, bytes: number, cost: Cost) => Promise<Buffer>;

function scryptPair(pair: string, salt: Buffer, bytes: number, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pair, salt, bytes, { ...cost, maxmem: 64 * 1_024 * 1_024 }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}

const stored = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,64})\$([\w-]{22,128})$/;

async function matches(pair: string, hash: string, hashPair: HashPair): Promise<boolean> {
  const [, N, r, p, salt = "", expected = ""] = stored.exec(hash) ?? [];
  if (N === undefined) return false;
  const right = Buffer.from(expected, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await hashPair(pair, Buffer.from(salt, "base64url"), right.length, cost).catch(
    () => null, // a cost that this process cannot pay
  );
  return found !== null && timingSafeEqual(found, right);
}
