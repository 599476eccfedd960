import { createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** RFC 1035 §3.3; verifiers read the first character-string of a record only. */
const maxStringBytes = 255;
const keyAlgorithm = "RS256";
/** What a name with a key may hold; a 4096-bit key takes four. */
const maxFragments = 32;

const generate = promisify(generateKeyPair);

export interface SigningKeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function createSigningKeyPair(): Promise<SigningKeyPair> {
  return generate("rsa", { modulusLength: 2_048 });
}

/**
 * The texts of the TXT records that publish a key, as few as possible, each one character-string:
 * `p` numbers the fragments, `a` is always written since some verifiers insist, `d` is a slice of
 * the base64 SubjectPublicKeyInfo.
 */
export function keyRecords(publicKey: KeyObject): readonly string[] {
  if (publicKey.asymmetricKeyType !== "rsa" || publicKey.type !== "public") {
    throw new RangeError("a public RSA key is published");
  }
  let rest = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const records: string[] = [];
  while (rest !== "") {
    const head = `p=${records.length + 1},a=${keyAlgorithm},d=`;
    const space = maxStringBytes - head.length;
    records.push(`${head}${rest.slice(0, space)}`);
    rest = rest.slice(space);
  }
  return records;
}

export type PublishedKey =
  | { readonly ok: true; readonly publicKey: KeyObject }
  | { readonly ok: false; readonly reason: string };

/** The key that the TXT records of one name make together, in whatever order they came. */
export function readKeyRecords(texts: readonly string[]): PublishedKey {
  if (texts.length === 0) return refused("there is no key at this name");
  if (texts.length > maxFragments) return refused("there are too many records at this name");
  const fragments = texts.map(readFragment);
  const whole = fragments.filter((fragment) => fragment !== null);
  if (whole.length !== fragments.length) {
    return refused("a record at this name is not a fragment of a key");
  }
  const [first] = whole;
  if (whole.some(({ a }) => a !== first?.a)) return refused("a= differs between fragments");
  if (first?.a !== keyAlgorithm) return refused("the key is for an unsupported algorithm");
  if (new Set(whole.map(({ p }) => p)).size !== whole.length) return refused("duplicate p=");
  const ordered = whole.toSorted((one, other) => one.p - other.p);
  return readSpki(ordered.map(({ d }) => d).join(""));
}

interface Fragment {
  readonly p: number;
  readonly a: string;
  readonly d: string;
}

function readFragment(text: string): Fragment | null {
  if (Buffer.byteLength(text) > maxStringBytes) return null;
  const fields = new Map<string, string>();
  for (const field of text.split(",")) {
    const [, name, value] = /^\s*([patd])=(.*?)\s*$/s.exec(field) ?? [];
    if (name === undefined || value === undefined || fields.has(name)) return null;
    fields.set(name, value);
  }
  const p = fields.get("p") ?? "";
  const d = fields.get("d") ?? "";
  const isX509 = (fields.get("t") ?? "x509") === "x509";
  if (!isX509 || !/^\d{1,5}$/.test(p) || !/^[A-Za-z0-9+/]+={0,2}$/.test(d)) return null;
  return { p: Number(p), a: fields.get("a") ?? keyAlgorithm, d };
}

function readSpki(base64: string): PublishedKey {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return refused("the fragments do not fit together");
  try {
    const der = Buffer.from(base64, "base64");
    const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
    if (publicKey.asymmetricKeyType !== "rsa") return refused("the key is not an RSA key");
    return { ok: true, publicKey };
  } catch {
    return refused("the fragments do not make a public key");
  }
}

function refused(reason: string): PublishedKey {
  return { ok: false, reason };
}
