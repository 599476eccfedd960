import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { encodeName } from "../wire/wire-records.ts";
import type { Signature } from "./record-sets.ts";

/** RFC 4034 §2. */
export interface ZoneKey {
  readonly tag: number;
  readonly algorithm: number;
  /** Null for a key that cannot be read. */
  readonly publicKey: KeyObject | null;
  readonly data: Buffer;
}

/** RFC 4034 §5: the parent's word for a key of the zone. */
export interface DelegationSigner {
  readonly tag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: Buffer;
}

interface Algorithm {
  readonly digest: "sha256" | "sha384" | "sha512" | null;
  readonly read: (key: Buffer) => KeyObject;
}

/** RFC 5702: the larger ones cost too much to be asked of us. */
const [minModulusBits, maxModulusBits] = [512, 4_096];
const maxExponentBytes = 8;

/**
 * The algorithms of RFC 8624 that validators must know. SHA-1 (5, 7) is not among them: RFC 9905
 * retires it, and a zone signed with nothing else counts as unsigned.
 */
const algorithms: ReadonlyMap<number, Algorithm> = new Map<number, Algorithm>([
  [8, { digest: "sha256", read: readRsa }],
  [10, { digest: "sha512", read: readRsa }],
  [13, { digest: "sha256", read: (key) => readEc(key, "P-256", 32) }],
  [14, { digest: "sha384", read: (key) => readEc(key, "P-384", 48) }],
  [15, { digest: null, read: (key) => readEdwards(key, "Ed25519", 32) }],
  [16, { digest: null, read: (key) => readEdwards(key, "Ed448", 57) }],
]);

const digests: ReadonlyMap<number, string> = new Map([
  [1, "sha1"],
  [2, "sha256"],
  [4, "sha384"],
]);

const zoneKeyFlag = 0x0100;
const revokedFlag = 0x0080;
const dnssecProtocol = 3;

/** The keys among DNSKEY data that may sign the zone (RFC 4034 §2.1, RFC 5011 §2.1). */
export function zoneKeys(data: readonly Buffer[]): readonly ZoneKey[] {
  return data.flatMap((key) => {
    if (key.length < 5) return [];
    const flags = key.readUInt16BE(0);
    const isUsable = (flags & zoneKeyFlag) !== 0 && (flags & revokedFlag) === 0;
    if (!isUsable || key.readUInt8(2) !== dnssecProtocol) return [];
    const algorithm = key.readUInt8(3);
    const publicKey = readPublicKey(algorithm, key.subarray(4));
    return [{ tag: keyTag(key), algorithm, publicKey, data: key }];
  });
}

/** RFC 4034 appendix B. */
function keyTag(key: Buffer): number {
  let sum = 0;
  for (const [index, octet] of key.entries()) sum += (index & 1) === 0 ? octet << 8 : octet;
  return (sum + (sum >>> 16)) & 0xffff;
}

function readPublicKey(algorithm: number, key: Buffer): KeyObject | null {
  try {
    return algorithms.get(algorithm)?.read(key) ?? null;
  } catch {
    // Other people's octets: what is no key verifies nothing.
    return null;
  }
}

/** RFC 3110 §2. */
function readRsa(key: Buffer): KeyObject {
  const isLong = key.readUInt8(0) === 0;
  const start = isLong ? 3 : 1;
  const exponentBytes = isLong ? key.readUInt16BE(1) : key.readUInt8(0);
  const [e, n] = [key.subarray(start, start + exponentBytes), key.subarray(start + exponentBytes)];
  const bits = n.length * 8;
  if (e.length > maxExponentBytes || bits < minModulusBits || bits > maxModulusBits) {
    throw new RangeError("An RSA key has 512 to 4096 bits");
  }
  return fromJwk({ kty: "RSA", n: n.toString("base64url"), e: e.toString("base64url") });
}

/** RFC 6605 §4. */
function readEc(key: Buffer, crv: string, bytes: number): KeyObject {
  if (key.length !== bytes * 2) throw new RangeError(`A ${crv} key has two coordinates`);
  const [x, y] = [key.subarray(0, bytes), key.subarray(bytes)];
  return fromJwk({ kty: "EC", crv, x: x.toString("base64url"), y: y.toString("base64url") });
}

/** RFC 8080 §3. */
function readEdwards(key: Buffer, crv: string, bytes: number): KeyObject {
  if (key.length !== bytes) throw new RangeError(`An ${crv} key has ${bytes} octets`);
  return fromJwk({ kty: "OKP", crv, x: key.toString("base64url") });
}

function fromJwk(key: Record<string, string>): KeyObject {
  return createPublicKey({ key, format: "jwk" });
}

/** One verification; the caller counts them. */
export function verifies(key: ZoneKey, signature: Signature, data: Buffer): boolean {
  const algorithm = algorithms.get(signature.algorithm);
  if (key.publicKey === null || algorithm === undefined) return false;
  try {
    const input = { key: key.publicKey, dsaEncoding: "ieee-p1363" } as const;
    return verify(algorithm.digest, data, input, signature.signature);
  } catch {
    // OpenSSL rejects some malformed keys and signatures only when they are used.
    return false;
  }
}

/** DS data of a length that fits its digest type is read; anything else vouches for nothing. */
export function readSigner(data: Buffer): DelegationSigner[] {
  if (data.length < 5) return [];
  return [
    {
      tag: data.readUInt16BE(0),
      algorithm: data.readUInt8(2),
      digestType: data.readUInt8(3),
      digest: data.subarray(4),
    },
  ];
}

/**
 * RFC 4035 §5.2: without a DS whose algorithm and digest type are known, the zone counts as
 * unsigned. RFC 4509 §3: SHA-1 digests are ignored where there is a better one.
 */
export function usableSigners(signers: readonly DelegationSigner[]): readonly DelegationSigner[] {
  const known = signers.filter(
    ({ algorithm, digestType }) => algorithms.has(algorithm) && digests.has(digestType),
  );
  const better = known.filter(({ digestType }) => digestType > 1);
  return better.length > 0 ? better : known;
}

/** Whether the parent's DS record is for this key of this zone (RFC 4034 §5.1.4). */
export function vouchesFor(signer: DelegationSigner, key: ZoneKey, zone: string): boolean {
  const digest = digests.get(signer.digestType);
  if (digest === undefined || signer.tag !== key.tag || signer.algorithm !== key.algorithm) {
    return false;
  }
  const hash = createHash(digest).update(encodeName(zone)).update(key.data).digest();
  return hash.equals(signer.digest);
}
