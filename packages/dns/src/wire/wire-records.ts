import { createReader, MalformedMessage, type Reader } from "./reader.ts";

/** A record whose data is octets, with the names in it decompressed and in lower case. */
export interface WireRecord {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly data: Buffer;
}

export interface WireSections {
  readonly answers: readonly WireRecord[];
  readonly authorities: readonly WireRecord[];
}

const headerBytes = 12;
const classIn = 1;

/** A name in a layout; any other number is that many octets. */
const nameField = 0;

/**
 * RFC 4034 §6.2: these types have names in their data, which are compared and signed in lower case
 * and may be compressed. The rest of the data follows the listed fields. Data of other types are
 * opaque: of an NSEC record the letter case is signed as it is (RFC 6840 §5.1).
 */
const layouts: ReadonlyMap<number, readonly number[]> = new Map([
  [2, [nameField]],
  [5, [nameField]],
  [6, [nameField, nameField]],
  [12, [nameField]],
  [15, [2, nameField]],
  [33, [6, nameField]],
  [39, [nameField]],
  [46, [18, nameField]],
]);

/** The answer and authority sections of a well-formed message; null where it is not one. */
export function readWireRecords(packet: Buffer): WireSections | null {
  try {
    const reader = createReader(packet, headerBytes, packet.length);
    for (let left = packet.readUInt16BE(4); left > 0; left -= 1) {
      reader.name();
      reader.skip(4);
    }
    const section = (countAt: number) => readSection(packet, reader, packet.readUInt16BE(countAt));
    return { answers: section(6), authorities: section(8) };
  } catch (error) {
    if (error instanceof MalformedMessage || error instanceof RangeError) return null;
    throw error;
  }
}

function readSection(packet: Buffer, reader: Reader, count: number): readonly WireRecord[] {
  const records: WireRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = reader.name();
    const type = reader.u16();
    const recordClass = reader.u16();
    const ttl = reader.u32();
    const length = reader.u16();
    const start = reader.offset();
    reader.skip(length);
    if (recordClass !== classIn) continue;
    const data = readData(createReader(packet, start, start + length), type, length);
    records.push({ name, type, ttl: ttl > 0x7fffffff ? 0 : ttl, data });
  }
  return records;
}

function readData(reader: Reader, type: number, length: number): Buffer {
  const layout = layouts.get(type);
  if (layout === undefined) return reader.bytes(length);
  const end = reader.offset() + length;
  const fields = layout.map((octets) =>
    octets === nameField ? encodeName(reader.name()) : reader.bytes(octets),
  );
  return Buffer.concat([...fields, reader.bytes(end - reader.offset())]);
}

/** The labels of a name as the reader writes it, leftmost first; none for the root. */
export function splitLabels(name: string): readonly string[] {
  return name === "." ? [] : name.split(".");
}

/** The octets of one label: `\DDD` stands for an octet that is not plain text. */
export function labelOctets(label: string): Buffer {
  const plain = label.replace(/\\(\d{3})/g, (_, digits: string) =>
    String.fromCharCode(Number(digits)),
  );
  return Buffer.from(plain, "latin1");
}

/** A name as octets, uncompressed. */
export function encodeName(name: string): Buffer {
  const parts = splitLabels(name).flatMap((label) => {
    const octets = labelOctets(label);
    return [Buffer.from([octets.length]), octets];
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}
