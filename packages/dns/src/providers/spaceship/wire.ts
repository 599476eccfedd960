import { toAbsolute, toRelative } from "../../name.ts";
import { splitCaa, splitSrv } from "../../presentation.ts";
import { type DnsRecord, printCaa } from "../../record.ts";
import { ProviderError } from "../adapter/errors.ts";
import { anything, number, object, optional, text } from "../adapter/json.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

/** Longer TTLs are refused. */
const maxTtlSeconds = 3_600;

/** A record is its type, its name and the fields of its type; it has no key of its own. */
export type WireFields = Readonly<Record<string, string | number>>;

export const wireRecord = object({
  type: text,
  name: text,
  ttl: optional(number, manifest.defaultTtlSeconds),
  group: optional(object({ type: optional(text, "custom") }), { type: "custom" }),
  address: optional(text, ""),
  aliasName: optional(text, ""),
  cname: optional(text, ""),
  nameserver: optional(text, ""),
  value: optional(text, ""),
  exchange: optional(text, ""),
  preference: optional(number, 0),
  flag: optional(number, 0),
  tag: optional(text, ""),
  service: optional(text, ""),
  protocol: optional(text, ""),
  priority: optional(number, 0),
  weight: optional(number, 0),
  // A number in SRV records, a text in others.
  port: optional(anything, 0),
  target: optional(text, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;

/** Records of other groups belong to a product of Spaceship, such as forwarding. */
const ownGroup = "custom";

export function toRow(wire: WireRecord, zone: string): Row<WireFields> {
  const { type, ttl } = wire;
  const labels = type === "SRV" ? [wire.service, wire.protocol] : [];
  const name = [...labels, toAbsolute(wire.name, zone)].join(".");
  const priority = type === "MX" ? wire.preference : type === "SRV" ? wire.priority : null;
  const record = { name, type, ttl, priority, value: readData(wire) };
  const lockedBecause = wire.group.type === ownGroup ? null : "it belongs to a Spaceship product";
  return readRow({ id: null, raw: pickIdentity(wire), zone, record, lockedBecause });
}

/** Null for types that are only shown. */
function readData(wire: WireRecord): string | null {
  const host = (name: string) => (name === "." ? name : name.replace(/\.$/, ""));
  switch (wire.type) {
    case "A":
    case "AAAA":
      return wire.address;
    case "ALIAS":
      return host(wire.aliasName);
    case "CNAME":
      return host(wire.cname);
    case "NS":
      return host(wire.nameserver);
    case "MX":
      return host(wire.exchange);
    case "TXT":
      return wire.value;
    case "CAA":
      return printCaa(wire.flag, wire.tag, wire.value);
    case "SRV":
      return `${wire.weight} ${String(wire.port)} ${host(wire.target)}`;
    default:
      return null;
  }
}

/** The fields by which a record that was read is deleted. */
function pickIdentity(wire: WireRecord): WireFields {
  const { type, name } = wire;
  switch (type) {
    case "A":
    case "AAAA":
      return { type, name, address: wire.address };
    case "ALIAS":
      return { type, name, aliasName: wire.aliasName };
    case "CNAME":
      return { type, name, cname: wire.cname };
    case "NS":
      return { type, name, nameserver: wire.nameserver };
    case "MX":
      return { type, name, exchange: wire.exchange, preference: wire.preference };
    case "CAA":
      return { type, name, flag: wire.flag, tag: wire.tag, value: wire.value };
    case "SRV": {
      const { service, protocol, priority, weight, target } = wire;
      const port = Number(wire.port);
      return { type, name, service, protocol, priority, weight, port, target };
    }
    default:
      return { type, name, value: wire.value };
  }
}

export function toWire(record: DnsRecord, zone: string): WireFields {
  const { type, value, priority } = record;
  const common = { type, ttl: Math.min(record.ttl, maxTtlSeconds) };
  const name = toRelative(record.name, zone) ?? "@";
  switch (type) {
    case "A":
    case "AAAA":
      return { ...common, name, address: value };
    case "ALIAS":
      return { ...common, name, aliasName: value };
    case "CNAME":
      return { ...common, name, cname: value };
    case "NS":
      return { ...common, name, nameserver: value };
    case "MX":
      return { ...common, name, exchange: value, preference: priority ?? 0 };
    case "TXT":
      return { ...common, name, value };
    case "CAA": {
      const { flags: flag, tag, text: issuer } = splitCaa(value);
      return { ...common, name, flag, tag, value: issuer };
    }
    case "SRV":
      return { ...common, ...serviceNames(name), ...splitSrv(value), priority: priority ?? 0 };
  }
}

/** The first two labels of a service have fields of their own. */
function serviceNames(relative: string) {
  const [service = "", protocol = "", ...rest] = relative.split(".");
  if (!service.startsWith("_") || !protocol.startsWith("_")) {
    throw new ProviderError(
      "unsupported",
      "Spaceship needs a service and a protocol at the beginning of an SRV record's name.",
    );
  }
  return { service, protocol, name: rest.length === 0 ? "@" : rest.join(".") };
}

/**
 * What makes two service records one: neither port nor target counts, so that writing the second
 * would replace the first.
 */
export function serviceKey({ name, value, priority }: DnsRecord): string {
  return `${name} ${priority} ${splitSrv(value).weight}`;
}
