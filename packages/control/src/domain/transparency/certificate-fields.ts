import { createHash } from "node:crypto";
import { createDerCursor, derTags } from "./der.ts";

/** Where the fields of a certificate are in its bytes (RFC 5280 §4.1). */
export interface CertificateFields {
  readonly bytes: Buffer;
  readonly serial: Span;
  /** The whole element, with its tag. */
  readonly issuer: Span;
  readonly validity: Span;
  readonly subject: Span;
  /** The whole element, with its tag. */
  readonly publicKey: Span;
  /** The content of the list of subject alternative names; null without one. */
  readonly alternativeNames: Span | null;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const cursor = createDerCursor();
const inner = createDerCursor();

/**
 * The fields of a certificate, or of the TBSCertificate alone, which a log has of a precertificate;
 * null for bytes that are neither. Nothing is verified, and nothing is copied.
 */
export function readCertificateFields(
  bytes: Buffer,
  form: "certificate" | "tbs",
): CertificateFields | null {
  if (cursor.read(bytes, 0, bytes.length) !== derTags.sequence) return null;
  const isWrapped = form === "certificate";
  if (isWrapped && cursor.read(bytes, cursor.start, cursor.end) !== derTags.sequence) return null;
  return readTbs(bytes, cursor.start, cursor.end);
}

function readTbs(bytes: Buffer, start: number, end: number): CertificateFields | null {
  let position = start;
  const next = (tag: number): Span | null => {
    const from = position;
    if (cursor.read(bytes, from, end) !== tag) return null;
    position = cursor.end;
    return { start: cursor.start, end: cursor.end };
  };
  const whole = (): Span | null => {
    const from = position;
    return next(derTags.sequence) && { start: from, end: position };
  };
  next(derTags.context0);
  const serial = next(derTags.integer);
  const algorithm = next(derTags.sequence);
  const issuer = whole();
  const validity = next(derTags.sequence);
  const subject = next(derTags.sequence);
  const publicKey = whole();
  if (!serial || !algorithm || !issuer || !validity || !subject || !publicKey) return null;
  const alternativeNames = findAlternativeNames(bytes, position, end);
  return { bytes, serial, issuer, validity, subject, publicKey, alternativeNames };
}

/** id-ce-subjectAltName, 2.5.29.17. */
function isAlternativeNames(bytes: Buffer, { start, end }: Span): boolean {
  return (
    end - start === 3 &&
    bytes[start] === 0x55 &&
    bytes[start + 1] === 0x1d &&
    bytes[start + 2] === 0x11
  );
}

function findAlternativeNames(bytes: Buffer, start: number, end: number): Span | null {
  let position = start;
  for (;;) {
    const tag = cursor.read(bytes, position, end);
    if (tag === 0) return null;
    if (tag === derTags.context3) return findInExtensions(bytes, cursor.start, cursor.end);
    position = cursor.end;
  }
}

function findInExtensions(bytes: Buffer, start: number, end: number): Span | null {
  if (cursor.read(bytes, start, end) !== derTags.sequence) return null;
  const limit = cursor.end;
  let position = cursor.start;
  while (cursor.read(bytes, position, limit) !== 0) {
    position = cursor.end;
    if (inner.read(bytes, cursor.start, cursor.end) !== derTags.oid) continue;
    if (isAlternativeNames(bytes, inner)) return extensionValue(bytes, inner.end, cursor.end);
  }
  return null;
}

/** The list inside the octet string, which may follow the mark `critical`. */
function extensionValue(bytes: Buffer, start: number, end: number): Span | null {
  let position = start;
  if (inner.read(bytes, position, end) === derTags.boolean) position = inner.end;
  if (inner.read(bytes, position, end) !== derTags.octetString) return null;
  if (inner.read(bytes, inner.start, inner.end) !== derTags.sequence) return null;
  return { start: inner.start, end: inner.end };
}

/** `dNSName [2] IA5String` of GeneralName. */
const dnsNameTag = 0x82;
const maxNameLength = 253;
/** id-at-commonName, 2.5.4.3. */
const commonName = 3;

/**
 * Calls `visit` for each DNS name in lower case: the alternative names, or the common name of a
 * certificate without any.
 */
export function visitNames(fields: CertificateFields, visit: (name: string) => void): void {
  const { bytes, alternativeNames } = fields;
  let isNamed = false;
  let position = alternativeNames?.start ?? 0;
  const end = alternativeNames?.end ?? 0;
  while (position < end) {
    const tag = inner.read(bytes, position, end);
    if (tag === 0) break;
    position = inner.end;
    if (tag !== dnsNameTag) continue;
    isNamed = true;
    if (inner.end - inner.start <= maxNameLength) {
      visit(bytes.toString("latin1", inner.start, inner.end).toLowerCase());
    }
  }
  if (isNamed) return;
  const text = attributeText(bytes, fields.subject, commonName);
  if (text !== null && /^[a-z0-9*._-]{1,253}$/.test(text.toLowerCase())) visit(text.toLowerCase());
}

const rdn = createDerCursor();
const attribute = createDerCursor();

/** The last attribute `2.5.4.<arc>` of a Name, given without its own tag. */
function attributeText(bytes: Buffer, name: Span, arc: number): string | null {
  let found: string | null = null;
  let position = name.start;
  while (rdn.read(bytes, position, name.end) !== 0) {
    position = rdn.end;
    let at = rdn.start;
    while (attribute.read(bytes, at, rdn.end) !== 0) {
      at = attribute.end;
      found = readAttribute(bytes, attribute, arc) ?? found;
    }
  }
  return found;
}

function readAttribute(bytes: Buffer, { start, end }: Span, arc: number): string | null {
  if (inner.read(bytes, start, end) !== derTags.oid || inner.end - inner.start !== 3) return null;
  const type = bytes.readUIntBE(inner.start, 3);
  if (type !== 0x550400 + arc) return null;
  const tag = inner.read(bytes, inner.end, end);
  return tag === 0 ? null : stringText(bytes.subarray(inner.start, inner.end), tag);
}

const bmpString = 0x1e;

function stringText(bytes: Buffer, tag: number): string {
  if (tag !== bmpString) return bytes.toString("utf8");
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString("utf16le");
}

const shownAttributes = [
  { label: "CN", arc: commonName },
  { label: "O", arc: 10 },
  { label: "C", arc: 6 },
] as const;
const maxIssuerText = 300;

/** The issuer in words: `CN=R11, O=Let's Encrypt, C=US`. */
export function issuerText({ bytes, issuer }: CertificateFields): string {
  if (cursor.read(bytes, issuer.start, issuer.end) === 0) return "";
  const name = { start: cursor.start, end: cursor.end };
  return shownAttributes
    .map(({ label, arc }) => ({ label, text: attributeText(bytes, name, arc) }))
    .filter(({ text }) => text !== null)
    .map(({ label, text }) => `${label}=${printable(text ?? "")}`)
    .join(", ")
    .slice(0, maxIssuerText);
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "").trim();
}

/** In lower-case hexadecimal, without the octet that marks a number as positive. */
export function serialText({ bytes, serial }: CertificateFields): string {
  return bytes.toString("hex", serial.start, serial.end).replace(/^(00)+(?=..)/, "");
}

/** A certificate and its precertificate have both in common. */
export function certificateKey(fields: CertificateFields): Buffer {
  const { bytes, issuer, serial } = fields;
  return createHash("sha256")
    .update(bytes.subarray(issuer.start, issuer.end))
    .update(bytes.subarray(serial.start, serial.end))
    .digest();
}

/** SHA-256 of the SubjectPublicKeyInfo. */
export function publicKeyHash({ bytes, publicKey }: CertificateFields): Buffer {
  return createHash("sha256").update(bytes.subarray(publicKey.start, publicKey.end)).digest();
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Null where a time is not as RFC 5280 §4.1.2.5 writes it. */
export function readValidity({ bytes, validity }: CertificateFields): Validity | null {
  const notBefore = readTime(bytes, validity.start, validity.end);
  const notAfter = readTime(bytes, cursor.end, validity.end);
  return notBefore && notAfter && { notBefore, notAfter };
}

function readTime(bytes: Buffer, start: number, end: number): Date | null {
  const tag = cursor.read(bytes, start, end);
  const isShort = tag === derTags.utcTime;
  const text = bytes.toString("latin1", cursor.start, cursor.end);
  if (!isShort && tag !== derTags.generalizedTime) return null;
  const full = isShort ? `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}` : text;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : time;
}
