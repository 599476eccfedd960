import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, parseData, presentData, readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError } from "../adapter/errors.ts";
import { entryKey, list, number, object, optional, text } from "../adapter/json.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { type Answer, type Value, xmlRpc } from "./xml-rpc.ts";

/** Texts are bare, of at most 450 characters; spaces around them would be lost. */
const textLimits = { forbidden: /[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 450 };
/** How long the reading of a zone waits for its share of the calls, and how often. */
const ratePauseMs = 5_000;
const mostRatePauses = 13;

const domains = list(object({ domain: text }));
const wireRecord = object({
  record_id: entryKey,
  type: text,
  ttl: number,
  priority: optional(number, 0),
  rdata: text,
});
type WireRecord = ReturnType<typeof wireRecord>;

/** A zone is a list of subdomains, "@" being the apex, and each of them has records. */
export const loopia = defineRecordProvider(manifest, (credentials, { http, wait }) => {
  const { username = "", password = "" } = credentials;
  const call = xmlRpc(http, { username, password });
  const read = (method: string, params: readonly Value[], signal: AbortSignal) =>
    call(method, params, signal, true);
  const write = async (
    method: string,
    params: readonly Value[],
    signal: AbortSignal,
    idempotent: boolean,
  ) => requireOk(await call(method, params, signal, idempotent));

  const listZones = async (signal: AbortSignal): Promise<readonly Zone[]> => {
    const found = domains(await read("getDomains", [], signal), "");
    return found.flatMap(({ domain }) => {
      const name = normalizeName(domain);
      return name === null ? [] : [{ id: domain, name, nameservers: [] }];
    });
  };
  /** What a domain that is not the user's is answered with says nothing about it. */
  const listSubdomains = async (zone: Zone, signal: AbortSignal): Promise<readonly string[]> => {
    try {
      return list(text)(await read("getSubdomains", [zone.id], signal), "");
    } catch (error) {
      const isUnclear =
        error instanceof ProviderError && ["unavailable", "unsupported"].includes(error.kind);
      if (!isUnclear || (await listZones(signal)).some(({ id }) => id === zone.id)) throw error;
      throw new ProviderError("not_found", `The Loopia account has no domain ${zone.name}.`);
    }
  };
  const readSubdomain = async (zone: Zone, subdomain: string, signal: AbortSignal) =>
    list(wireRecord)(await read("getZoneRecords", [zone.id, subdomain], signal), "");
  const readPatiently = async (zone: Zone, subdomain: string, signal: AbortSignal) => {
    for (let pauses = 0; ; pauses += 1) {
      try {
        return await readSubdomain(zone, subdomain, signal);
      } catch (error) {
        const isLimited = error instanceof ProviderError && error.kind === "rate_limited";
        if (!isLimited || pauses === mostRatePauses) throw error;
        await wait(ratePauseMs, signal);
      }
    }
  };

  return {
    textLimits,
    readNameservers: "apex",
    listZones,
    async readRows(zone, signal) {
      const rows: Row[] = [];
      for (const subdomain of new Set(["@", ...(await listSubdomains(zone, signal))])) {
        const records = await readPatiently(zone, subdomain, signal);
        rows.push(...records.map((one) => toRow(one, subdomain, zone.name)));
      }
      return rows;
    },
    requireWritable,
    async remove(zone, { id, record }, signal) {
      const subdomain = toSubdomain(record?.name ?? "", zone);
      await write("removeZoneRecord", [zone.id, subdomain, Number(id)], signal, false);
      // A subdomain without records hides the name from a wildcard.
      if (subdomain === "@") return;
      if ((await readSubdomain(zone, subdomain, signal)).length > 0) return;
      await write("removeSubdomain", [zone.id, subdomain], signal, false);
    },
    change: (zone, { id }, record, signal) => {
      const params = [zone.id, toSubdomain(record.name, zone), toWire(record, Number(id))];
      return write("updateZoneRecord", params, signal, true);
    },
    add: (zone, record, signal) => {
      const params = [zone.id, toSubdomain(record.name, zone), toWire(record, 0)];
      return write("addZoneRecord", params, signal, false);
    },
  };
});

function requireOk(answer: Answer): void {
  if (answer === "OK") return;
  throw new ProviderError("unavailable", `Loopia answers ${JSON.stringify(answer)}.`);
}

function toSubdomain(name: string, zone: Zone): string {
  return toRelative(name, zone.name) ?? "@";
}

/** The priority of a service is a field and stands in the data, too. */
function toWire(record: DnsRecord, id: number): Readonly<Record<string, string | number>> {
  const { type, ttl, priority } = record;
  return { type, ttl, priority: priority ?? 0, rdata: toData(record), record_id: id };
}

function toData(record: DnsRecord): string {
  if (record.type === "TXT") return record.value;
  return record.type === "MX" ? absoluteTarget(record.value) : presentData(record);
}

function toRow(wire: WireRecord, subdomain: string, zone: string): Row {
  const { type, ttl, record_id: id } = wire;
  const record = { name: toAbsolute(subdomain, zone), type, ttl, ...readData(wire, zone) };
  return readRow({ id: /^[1-9]\d*$/.test(id) ? id : "", raw: null, zone, record });
}

function readData({ type, priority, rdata }: WireRecord, zone: string) {
  if (type === "TXT") return { value: rdata, priority: null };
  if (type === "MX") return { value: readTarget(rdata, zone), priority };
  return parseData(type, rdata, zone) ?? { value: null, priority: null };
}

/** Verified 2025-07 by another client: the root as a target is refused. */
function requireWritable(records: readonly DnsRecord[]): void {
  const refused = records.find(
    ({ type, value }) => (type === "MX" && value === ".") || (type === "SRV" && / \.$/.test(value)),
  );
  if (refused === undefined) return;
  const { name, type } = refused;
  throw new ProviderError(
    "unsupported",
    `${name}: Loopia stores no ${type} record without a host.`,
  );
}
