/** What the edge needs of a ClientHello before any TLS state exists for the connection. */
export type HelloReading =
  /** More bytes are needed: at least `atLeast` in all. */
  | { readonly kind: "incomplete"; readonly atLeast: number }
  | { readonly kind: "malformed" }
  | {
      readonly kind: "hello";
      /** Lower-case and without trailing dot; null when no usable name was sent. */
      readonly serverName: string | null;
      readonly protocols: readonly string[];
    };

const recordHeaderBytes = 5;
const handshakeHeaderBytes = 4;
const handshakeRecordType = 22;
const clientHelloType = 1;
const serverNameExtension = 0;
const alpnExtension = 16;
/** RFC 8446 §5.1: the plaintext of a record. */
const maxRecordBytes = 16_384;
/** Real clients use one to three records; more is an attack on the reader. */
const maxRecords = 16;
const maxMessageBytes = 2 * maxRecordBytes;

const malformedHello: HelloReading = { kind: "malformed" };

/**
 * Reads the server name (RFC 6066 §3) and the protocols (RFC 7301) from the first bytes of a
 * connection, also when the message is split over records. Never throws and has no state: call it
 * again with all bytes so far once there are `atLeast` of them.
 */
export function readClientHello(bytes: Buffer): HelloReading {
  const message = unwrapRecords(bytes);
  if (!Buffer.isBuffer(message)) return message;
  const extensions = findExtensions(message);
  if (extensions === null) return malformedHello;
  return readExtensions(extensions);
}

/** The body of the ClientHello message, joined from its records. */
function unwrapRecords(bytes: Buffer): Buffer | HelloReading {
  const parts: Buffer[] = [];
  let at = 0;
  while (parts.length < maxRecords) {
    const record = recordAt(bytes, at);
    if (!Buffer.isBuffer(record)) return record;
    parts.push(record);
    at += recordHeaderBytes + record.length;
    const message = messageIn(parts.length === 1 ? record : Buffer.concat(parts));
    if (message !== null) return message;
  }
  return malformedHello;
}

function recordAt(bytes: Buffer, at: number): Buffer | HelloReading {
  if (bytes.length > at && bytes[at] !== handshakeRecordType) return malformedHello;
  const start = at + recordHeaderBytes;
  if (bytes.length < start) return incomplete(start);
  const length = bytes.readUInt16BE(at + 3);
  if (bytes[at + 1] !== 3 || length === 0 || length > maxRecordBytes) return malformedHello;
  return bytes.length < start + length
    ? incomplete(start + length)
    : bytes.subarray(start, start + length);
}

/** The message once it is complete; null when more records are needed. */
function messageIn(handshake: Buffer): Buffer | HelloReading | null {
  if (handshake[0] !== clientHelloType) return malformedHello;
  if (handshake.length < handshakeHeaderBytes) return null;
  const end = handshakeHeaderBytes + handshake.readUIntBE(1, 3);
  if (end > maxMessageBytes) return malformedHello;
  return handshake.length < end ? null : handshake.subarray(handshakeHeaderBytes, end);
}

function incomplete(atLeast: number): HelloReading {
  return { kind: "incomplete", atLeast };
}

/** RFC 8446 §4.1.2: version, random, session id, cipher suites, compression, extensions. */
function findExtensions(message: Buffer): Buffer | null {
  const sessionId = vectorAt(message, 34, 1);
  const suites = sessionId && vectorAt(message, sessionId.end, 2);
  const compression = suites && vectorAt(message, suites.end, 1);
  if (!compression) return null;
  if (compression.end === message.length) return message.subarray(compression.end);
  const extensions = vectorAt(message, compression.end, 2);
  return extensions !== null && extensions.end === message.length ? extensions.body : null;
}

function readExtensions(extensions: Buffer): HelloReading {
  const found = new Map<number, Buffer>();
  let at = 0;
  while (at < extensions.length) {
    const extension = at + 2 <= extensions.length ? vectorAt(extensions, at + 2, 2) : null;
    if (extension === null) return malformedHello;
    const type = extensions.readUInt16BE(at);
    // RFC 8446 §4.2: no extension may occur twice.
    if (found.has(type)) return malformedHello;
    found.set(type, extension.body);
    at = extension.end;
  }
  const name = found.get(serverNameExtension);
  const alpn = found.get(alpnExtension);
  const serverName = name === undefined ? null : readServerName(name);
  const protocols = alpn === undefined ? [] : readProtocols(alpn);
  if ((name !== undefined && serverName === null) || protocols === null) return malformedHello;
  return { kind: "hello", serverName, protocols };
}

/** Exactly one name of type host_name: RFC 6066 §3 allows no second one of the same type. */
function readServerName(body: Buffer): string | null {
  const list = vectorAt(body, 0, 2);
  if (list === null || list.end !== body.length || list.body[0] !== 0) return null;
  const name = vectorAt(list.body, 1, 2);
  if (name === null || name.end !== list.body.length) return null;
  return normalizeServerName(name.body.toString("latin1"));
}

/** The canonical spelling of a hostname; null for text that is none. */
export function normalizeServerName(text: string): string | null {
  const name = (text.endsWith(".") ? text.slice(0, -1) : text).toLowerCase();
  return name.length <= 253 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name) ? name : null;
}

function readProtocols(body: Buffer): readonly string[] | null {
  const list = vectorAt(body, 0, 2);
  if (list === null || list.end !== body.length || list.body.length === 0) return null;
  const protocols: string[] = [];
  let at = 0;
  while (at < list.body.length) {
    const protocol = vectorAt(list.body, at, 1);
    if (protocol === null || protocol.body.length === 0) return null;
    protocols.push(protocol.body.toString("latin1"));
    at = protocol.end;
  }
  return protocols;
}

/** The vector whose length is at `at`; null when it does not fit into the bytes. */
function vectorAt(
  bytes: Buffer,
  at: number,
  lengthBytes: 1 | 2,
): { readonly body: Buffer; readonly end: number } | null {
  const start = at + lengthBytes;
  if (start > bytes.length) return null;
  const end = start + bytes.readUIntBE(at, lengthBytes);
  return end > bytes.length ? null : { body: bytes.subarray(start, end), end };
}
