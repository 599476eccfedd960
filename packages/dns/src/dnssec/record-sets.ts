import { encodeName, labelOctets, splitLabels, type WireRecord } from "../wire/wire-records.ts";

/** The type codes that validation reads. */
export const codes = {
  NS: 2,
  CNAME: 5,
  SOA: 6,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
} as const;

/** RFC 4034 §3.1. Times are seconds since 1970, compared as serial numbers (RFC 1982). */
export interface Signature {
  readonly typeCovered: number;
  readonly algorithm: number;
  readonly labels: number;
  readonly originalTtl: number;
  readonly expiration: number;
  readonly inception: number;
  readonly keyTag: number;
  readonly signer: string;
  readonly signature: Buffer;
  /** The record's data without the signature: the first part of what is signed. */
  readonly head: Buffer;
}

/** All records of one name and type, each once, and the signatures over them. */
export interface RecordSet {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly data: readonly Buffer[];
  readonly signatures: readonly Signature[];
}

/** Groups a section's records into sets; signatures go to the set that they cover. */
export function recordSets(records: readonly WireRecord[]): readonly RecordSet[] {
  const signatures = records
    .filter(({ type }) => type === codes.RRSIG)
    .flatMap(({ name, data }) => readSignature(data).map((signature) => ({ name, signature })));
  const grouped = Map.groupBy(
    records.filter(({ type }) => type !== codes.RRSIG),
    ({ name, type }) => `${type} ${name}`,
  );
  return [...grouped.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { name, type } = first;
    const data = new Map(group.map((record) => [record.data.toString("latin1"), record.data]));
    const covering = signatures.filter(
      (entry) => entry.name === name && entry.signature.typeCovered === type,
    );
    return [
      {
        name,
        type,
        ttl: Math.min(...group.map(({ ttl }) => ttl)),
        data: [...data.values()],
        signatures: covering.map(({ signature }) => signature),
      },
    ];
  });
}

const signatureHeadBytes = 18;

function readSignature(data: Buffer): Signature[] {
  const signer = readPlainName(data, signatureHeadBytes);
  if (signer === null) return [];
  return [
    {
      typeCovered: data.readUInt16BE(0),
      algorithm: data.readUInt8(2),
      labels: data.readUInt8(3),
      originalTtl: data.readUInt32BE(4),
      expiration: data.readUInt32BE(8),
      inception: data.readUInt32BE(12),
      keyTag: data.readUInt16BE(16),
      signer: signer.name,
      head: data.subarray(0, signer.end),
      signature: data.subarray(signer.end),
    },
  ];
}

/** An uncompressed name at `start` of a record's data, and where it ends; null where none is. */
export function readPlainName(data: Buffer, start: number): { name: string; end: number } | null {
  const labels: string[] = [];
  for (let at = start; ; ) {
    const length = data[at];
    if (length === undefined || length > 63) return null;
    if (length === 0) return { name: labels.join(".") || ".", end: at + 1 };
    const octets = data.subarray(at + 1, at + 1 + length);
    if (octets.length < length) return null;
    labels.push(labelText(octets));
    at += length + 1;
  }
}

/** Written as the message reader writes labels, so that names compare equal. */
function labelText(octets: Buffer): string {
  return Array.from(octets, (octet) => {
    const char = String.fromCharCode(octet);
    return /[A-Za-z0-9_*-]/.test(char) ? char.toLowerCase() : `\\${String(octet).padStart(3, "0")}`;
  }).join("");
}

/** RFC 4034 §6.1: names are ordered by their labels from the right, as octets. */
export function compareNames(first: string, second: string): number {
  const [one, other] = [first, second].map((name) => splitLabels(name).map(labelOctets).reverse());
  for (let index = 0; index < Math.min(one?.length ?? 0, other?.length ?? 0); index += 1) {
    const order = Buffer.compare(one?.[index] ?? empty, other?.[index] ?? empty);
    if (order !== 0) return order;
  }
  return (one?.length ?? 0) - (other?.length ?? 0);
}

const empty = Buffer.alloc(0);

/** The name's rightmost `count` labels. */
export function ancestorWith(name: string, count: number): string {
  const labels = splitLabels(name);
  return labels.slice(labels.length - count).join(".") || ".";
}

/** Whether a name is the ancestor itself or below it; names as the message reader writes them. */
export function isWithin(name: string, ancestor: string): boolean {
  const count = splitLabels(ancestor).length;
  return splitLabels(name).length >= count && ancestorWith(name, count) === ancestor;
}

/** RFC 4034 §3.1.3: the root and a leading `*` do not count. */
export function countedLabels(name: string): number {
  const labels = splitLabels(name);
  return labels[0] === "*" ? labels.length - 1 : labels.length;
}

/** RFC 4034 §3.1.8.1: what a signature over the set signs. */
export function signedData(set: RecordSet, signature: Signature): Buffer {
  const isExpanded = signature.labels < countedLabels(set.name);
  const owner = isExpanded ? wildcardAt(ancestorWith(set.name, signature.labels)) : set.name;
  const fixed = Buffer.alloc(8);
  fixed.writeUInt16BE(set.type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(signature.originalTtl, 4);
  const prefix = Buffer.concat([encodeName(owner), fixed]);
  const records = [...set.data].sort(Buffer.compare).map((data) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length);
    return Buffer.concat([prefix, length, data]);
  });
  return Buffer.concat([signature.head, ...records]);
}

export function wildcardAt(name: string): string {
  return name === "." ? "*" : `*.${name}`;
}
