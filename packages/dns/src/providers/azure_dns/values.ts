import { type Decoder, isObject, list, number, object, optional, text } from "../../decode.ts";
import { splitCaa, splitSrv } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import { printCaa } from "../../record-value.ts";

/** One value of a set in Azure's own form; given back unchanged when the set is rewritten. */
export type Entry = Readonly<Record<string, unknown>>;

interface EntryContent {
  readonly value: string;
  readonly priority: number | null;
}

interface Shape {
  /** The property of a set that holds its values. */
  readonly property: string;
  readonly read: (entry: unknown) => EntryContent;
  readonly write: (record: DnsRecord) => Entry;
}

const bare = (host: string) => host.replace(/\.$/, "");

function simple(property: string, field: string): Shape {
  const decoder = object({ [field]: text });
  return {
    property,
    read: (entry) => ({ value: bare(decoder(entry, property)[field] ?? ""), priority: null }),
    write: ({ value }) => ({ [field]: value }),
  };
}

const mx = object({ preference: number, exchange: text });
const srv = object({ priority: number, weight: number, port: number, target: text });
const caa = object({ flags: number, tag: text, value: text });
const txt = object({ value: list(text) });

export const SHAPES: Readonly<Record<string, Shape>> = {
  A: simple("ARecords", "ipv4Address"),
  AAAA: simple("AAAARecords", "ipv6Address"),
  CNAME: simple("CNAMERecord", "cname"),
  NS: simple("NSRecords", "nsdname"),
  MX: {
    property: "MXRecords",
    read: (entry) => {
      const { preference, exchange } = mx(entry, "MXRecords");
      return { value: bare(exchange), priority: preference };
    },
    write: ({ value, priority }) => ({ preference: priority, exchange: value }),
  },
  SRV: {
    property: "SRVRecords",
    read: (entry) => {
      const { priority, weight, port, target } = srv(entry, "SRVRecords");
      return { value: `${weight} ${port} ${bare(target)}`, priority };
    },
    write: ({ value, priority }) => ({ priority, ...splitSrv(value) }),
  },
  CAA: {
    property: "caaRecords",
    read: (entry) => {
      const { flags, tag, value } = caa(entry, "caaRecords");
      return { value: printCaa(flags, tag, value), priority: null };
    },
    write: ({ value }) => {
      const { flags, tag, text: authority } = splitCaa(value);
      return { flags, tag, value: authority };
    },
  },
  TXT: {
    property: "TXTRecords",
    read: (entry) => ({ value: txt(entry, "TXTRecords").value.join(""), priority: null }),
    write: ({ value }) => ({ value: stringsOf(value) }),
  },
};

/** Strings of at most 255 bytes that end between characters, since each is sent as text of its own. */
function stringsOf(value: string): readonly string[] {
  const strings: string[] = [];
  let current = "";
  for (const character of value) {
    if (Buffer.byteLength(current + character) > 255) {
      strings.push(current);
      current = "";
    }
    current += character;
  }
  return [...strings, current];
}

const one: Decoder<Entry> = (value, path) => (isObject(value) ? value : object({})(value, path));

/** The values of a set; a CNAME has one, not in a list. */
export function entriesOf(shape: Shape, properties: Entry): readonly Entry[] {
  const held = properties[shape.property];
  if (isObject(held)) return [held];
  return optional(list(one), [])(held, shape.property);
}

export function propertiesOf(shape: Shape, entries: readonly Entry[]): Entry {
  return { [shape.property]: shape.property === "CNAMERecord" ? entries[0] : entries };
}
