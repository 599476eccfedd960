import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, parseData, readTarget } from "../../presentation.ts";
import { type DnsRecord, recordKey } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import { anything, entryKey, list, object, optional, text, textOrNumber } from "../adapter/json.ts";
import { defineBatchProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { ActionError, type Ask, sessions } from "./session.ts";

/** Texts are put into quotes by the name server; a quote would end them. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
/** A zone without records. */
const noRecords = 5029;

const zoneInfo = object({ ttl: optional(textOrNumber, "") });
const wireRecord = object({
  id: entryKey,
  hostname: text,
  type: text,
  priority: optional(textOrNumber, ""),
  destination: optional(text, ""),
  state: optional(text, ""),
});
type WireRecord = ReturnType<typeof wireRecord>;
const recordSet = object({ dnsrecords: optional(list(wireRecord), []) });

export const netcup = defineBatchProvider<WireRecord>(manifest, (credentials, context) => {
  const names = readDomains(credentials["domains"] ?? "");
  const inSession = sessions(credentials, context);
  const readZone = (ask: Ask, name: string) => ask("infoDnsZone", { domainname: name }, zoneInfo);
  const send = (ask: Ask, zone: Zone, dnsrecords: readonly unknown[], idempotent: boolean) => {
    const params = { domainname: zone.id, dnsrecordset: { dnsrecords } };
    return ask("updateDnsRecords", params, anything, idempotent);
  };

  return {
    textLimits,
    requireWritable: refuseUnstorable,
    listZones: (signal) =>
      inSession(signal, async (ask) => {
        const zones: Zone[] = [];
        for (const name of names) {
          const found = await readZone(ask, name).catch(unlessMissing);
          if (found !== null) zones.push({ id: name, name, nameservers: [] });
        }
        return zones;
      }),
    readRows: (zone, signal) =>
      inSession(signal, async (ask) => {
        const { ttl } = await readZone(ask, zone.id);
        const { dnsrecords } = await ask(
          "infoDnsRecords",
          { domainname: zone.id },
          recordSet,
        ).catch(unlessEmpty);
        const seconds = /^\d+$/.test(ttl) ? Number(ttl) : manifest.defaultTtlSeconds;
        return dnsrecords.map((one) => toRow(one, seconds, zone.name));
      }),
    writeRecords: (zone, { remove, change, add }, signal) =>
      inSession(signal, async (ask) => {
        // Only the zone has a TTL, so that a change of nothing else is none.
        const changes = change.filter(
          ({ row, record }) => row.record === null || recordKey(row.record) !== recordKey(record),
        );
        // Removals first: a CNAME can only be added where no other record is left.
        const going = remove.map(({ raw }) => ({ ...raw, deleterecord: true }));
        if (going.length > 0) await send(ask, zone, going, true);
        const coming = [
          ...changes.map(({ row, record }) => ({ id: row.id, ...toWire(record, zone.name) })),
          ...add.map((record) => toWire(record, zone.name)),
        ];
        if (coming.length > 0) await send(ask, zone, coming, add.length === 0);
      }),
  };
});

function readDomains(input: string): readonly string[] {
  const given = input.split(/[\s,;]+/).filter((one) => one !== "");
  return given.map((one) => {
    const name = normalizeName(one);
    if (name?.includes(".") === true) return name;
    throw new ProviderError("auth", "Domains has an entry that is not a domain name.");
  });
}

function unlessMissing(error: unknown): null {
  if (error instanceof ProviderError && error.kind === "not_found") return null;
  throw error;
}

function unlessEmpty(error: unknown): ReturnType<typeof recordSet> {
  if (error instanceof ActionError && error.code === noRecords) return { dnsrecords: [] };
  throw error;
}

/** Of MX and CNAME the target has no closing dot, of SRV it has one. */
function toWire({ name, type, value, priority }: DnsRecord, zone: string) {
  const destination = type === "SRV" ? `${priority} ${absoluteTarget(value)}` : value;
  return {
    hostname: toRelative(name, zone) ?? "@",
    type,
    destination,
    ...(type === "MX" ? { priority: String(priority) } : {}),
    deleterecord: false,
  };
}

function toRow(raw: WireRecord, ttl: number, zone: string): Row<WireRecord> {
  const type = raw.type.toUpperCase();
  const data = readData(type, raw, zone);
  const record = {
    name: toAbsolute(raw.hostname, zone),
    type,
    ttl,
    value: data?.value ?? null,
    priority: data?.priority ?? null,
  };
  const lockedBecause = raw.id === "" ? "it has no key at netcup" : null;
  return readRow({ id: raw.id, raw, zone, record, lockedBecause });
}

function readData(
  type: string,
  { destination, priority }: WireRecord,
  zone: string,
): ReturnType<typeof parseData> {
  // The apex may be named by its sign.
  const target = () => readTarget(destination, destination === "@" ? zone : null);
  if (type === "MX") return { value: target(), priority: Number(priority) };
  if (type === "SRV") return parseData(type, destination, null);
  const isTarget = ["CNAME", "ALIAS", "NS"].includes(type);
  return { value: isTarget ? target() : destination, priority: null };
}

function refuseUnstorable(records: readonly DnsRecord[]): void {
  for (const { name, type, value } of records) {
    if (type === "NS") {
      throw new ProviderError("unsupported", `${name}: netcup's interface ignores NS records.`);
    }
    if (type === "MX" && value === ".") {
      throw new ProviderError("unsupported", `${name}: netcup refuses the target ".".`);
    }
  }
}
