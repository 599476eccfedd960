import { createPublicKey } from "node:crypto";

export type DkimValue =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly message: string };

/** RFC 6376 §3.6.1; what is read by nobody is refused, so that nothing else can be published here. */
const tags = /^(?:v|k|h|s|t|n|g)$/;
/** RFC 8301 §3.2. */
const FEWEST_BITS = 1_024;

/** A DKIM key record as a console shows it, perhaps cut into quoted pieces; checked and joined. */
export function parseDkimValue(text: string): DkimValue {
  const joined = text.trim().replace(/"\s*"/g, "").replace(/^"|"$/g, "");
  const parts = joined.split(";").map((part) => part.trim());
  const pairs = parts
    .filter((part) => part !== "")
    .map((part) => /^([a-z]+)\s*=\s*(.*)$/.exec(part));
  const values = new Map<string, string>();
  for (const [index, pair] of pairs.entries()) {
    const [, name = "", value = ""] = pair ?? [];
    if (!isGoodTag(name, value, index) || values.has(name)) return bad("is not a DKIM key record");
    values.set(name, name === "p" ? value.replace(/\s+/g, "") : value);
  }
  const problem = keyProblem(values.get("p") ?? "", values.get("k") ?? "rsa");
  if (problem !== null) return bad(problem);
  return { ok: true, value: [...values].map(([name, value]) => `${name}=${value}`).join("; ") };
}

function isGoodTag(name: string, value: string, index: number): boolean {
  if (name === "p") return /^[A-Za-z0-9+/=\s]+$/.test(value);
  // RFC 6376 §3.6.1: the version is first when it is there.
  if (name === "v") return index === 0 && value === "DKIM1";
  return tags.test(name) && /^[A-Za-z0-9:*.-]*$/.test(value);
}

function bad(message: string): DkimValue {
  return { ok: false, message };
}

function keyProblem(base64: string, algorithm: string): string | null {
  if (base64 === "") return "has no key (p=)";
  const bytes = Buffer.from(base64, "base64");
  if (algorithm === "ed25519") {
    // RFC 8463 §4.2: the key alone.
    return bytes.length === 32 ? null : "is not an Ed25519 key";
  }
  const bits = rsaBits(bytes);
  if (bits === null) return "is not a whole RSA key: copy all of it";
  return bits < FEWEST_BITS ? `has a key of ${bits} bits, which receivers refuse` : null;
}

function rsaBits(der: Buffer): number | null {
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.modulusLength ?? null;
  } catch {
    // OpenSSL says in many ways that these bytes are no key.
    return null;
  }
}
