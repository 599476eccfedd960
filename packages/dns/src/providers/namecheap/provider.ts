import { toAbsolute, toRelative } from "../../name.ts";
import { type Plan, planEdits } from "../../plan/change.ts";
import { absoluteTarget, openTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { defineProvider } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain, ProviderHttp } from "../adapter/http.ts";
import { allPages, requireCount } from "../adapter/json-api.ts";
import { listRows, type Row, readRow, recordEdits, requireTexts } from "../adapter/rows.ts";
import { child, findChildren, parseXml, textAt, type XmlElement } from "../adapter/xml.ts";
import { manifest } from "./manifest.ts";

const urlOfAll = "https://api.namecheap.com/xml.response";
const pageSize = 100;
const maxTtlSeconds = 60_000;
/** Required in every row; only MX rows use it. */
const noPreference = "10";
const textLimits = { forbidden: /"/, mostCharacters: 2_500 };
const writableTypes = /^(?:A|AAAA|ALIAS|CAA|CNAME|MX|MXE|NS|TXT|URL|URL301|FRAME)$/;

/** A row as it has to be sent back. */
interface Host {
  readonly name: string;
  readonly type: string;
  readonly address: string;
  readonly preference: string;
  readonly ttl: string;
  readonly isDynamic: boolean;
}

interface Hosts {
  readonly rows: readonly Row<Host>[];
  /** Null when the answer does not say. */
  readonly emailType: string | null;
}

/**
 * Mail services of Namecheap and Google: the MX rows follow from the setting and cannot be sent.
 */
const hostedMail: ReadonlySet<string> = new Set(["OX", "GMAIL"]);

/** Every write replaces the whole zone: it is read just before, and all of it is sent back. */
export const namecheap = defineProvider(manifest, (credentials, { http }) => {
  if (credentials["client_ip"] === undefined) {
    throw new ProviderError("auth", "Allowed IPv4 address is missing.");
  }
  const common = {
    ApiUser: credentials["api_user"] ?? "",
    ApiKey: credentials["api_key"] ?? "",
    UserName: credentials["username"] ?? credentials["api_user"] ?? "",
    ClientIp: credentials["client_ip"],
  };

  const call = caller(http, common);

  const readHosts = async (zone: Zone, signal: AbortSignal): Promise<Hosts> => {
    const answer = await call("namecheap.domains.dns.getHosts", domainFields(zone), signal);
    const result = child(answer, "DomainDNSGetHostsResult");
    if (result?.attributes["IsUsingOurDNS"] !== "true") {
      throw new ProviderError("not_found", `${zone.name} does not use Namecheap's name servers.`);
    }
    const emailType = result.attributes["EmailType"] ?? null;
    return { rows: result.children.map((host) => toRow(host, zone.name, emailType)), emailType };
  };

  return {
    async listZones(signal) {
      let stated = 0;
      const domains = await allPages(async (cursor: number | null) => {
        const page = cursor ?? 1;
        const fields = { Page: String(page), PageSize: String(pageSize) };
        const answer = await call("namecheap.domains.getList", fields, signal);
        const items = findChildren(child(answer, "DomainGetListResult"), "Domain");
        stated = Number(textAt(answer, "Paging", "TotalItems"));
        const size = Number(textAt(answer, "Paging", "PageSize"));
        return { items, next: page * size < stated ? page + 1 : null };
      });
      requireCount(domains, stated);
      return domains
        .filter(({ attributes }) => attributes["IsOurDNS"] !== "false")
        .map(({ attributes }) => (attributes["Name"] ?? "").toLowerCase())
        .map((name) => ({ id: name, name, nameservers: [] }));
    },
    async listRecords(zone, signal) {
      return listRows((await readHosts(zone, signal)).rows);
    },
    async apply(zone, plan, signal) {
      const { rows, emailType } = await readHosts(zone, signal);
      const { remove, change, add } = recordEdits(plan, rows, manifest.minimumTtlSeconds);
      const going = new Set([...remove, ...change.map(({ row }) => row)]);
      const coming = [...change.map(({ record }) => record), ...add];
      if (going.size + coming.length === 0) return;
      requireWholeZone(rows, plan);
      refuseUnwritable(rows, coming);
      requireTexts(coming, textLimits);
      const hosts = [
        ...rows.flatMap((row) =>
          going.has(row) || isGenerated(row.raw, emailType) ? [] : row.raw,
        ),
        ...coming.map((record) => toHost(record, zone.name)),
      ];
      const mail = mailSetting(emailType, hosts);
      const fields = { ...domainFields(zone), ...mail, ...hostFields(hosts) };
      confirm(await call("namecheap.domains.dns.setHosts", fields, signal));
    },
  };
});

type Fields = Readonly<Record<string, string>>;

/** One address for all commands; errors, too, come with status 200. */
function caller(http: ProviderHttp, common: Fields) {
  return async (command: string, fields: Fields, signal: AbortSignal): Promise<XmlElement> => {
    const body = new URLSearchParams({ ...common, Command: command, ...fields }).toString();
    const headers = { accept: "text/xml", "content-type": "application/x-www-form-urlencoded" };
    const idempotent = !command.endsWith("setHosts");
    const request = { method: "POST", url: urlOfAll, headers, body, idempotent } as const;
    const answer = parseXml((await http.send(request, signal, explain)).text);
    if (answer.attributes["Status"] !== "OK") throw toError(answer);
    const response = child(answer, "CommandResponse");
    if (response === null) throw new ProviderError("unavailable", "Namecheap's answer is empty.");
    return response;
  };
}

function confirm(answer: XmlElement): void {
  if (child(answer, "DomainDNSSetHostsResult")?.attributes["IsSuccess"] === "true") return;
  throw new ProviderError("unavailable", "Namecheap did not confirm the change.");
}

/** The name is given in two parts; everything after the first label is the top-level part. */
function domainFields({ name }: Zone): Fields {
  const [sld = "", ...tld] = name.split(".");
  return { SLD: sld, TLD: tld.join(".") };
}

function hostFields(hosts: readonly Host[]): Fields {
  return Object.fromEntries(
    hosts.flatMap(({ name, type, address, preference, ttl }, index) => {
      const n = index + 1;
      return [
        [`HostName${n}`, name],
        [`RecordType${n}`, type],
        [`Address${n}`, address],
        [`MXPref${n}`, preference],
        [`TTL${n}`, ttl],
      ];
    }),
  );
}

/**
 * Rows that are missing in the list would be deleted. A domain on Namecheap's servers has rows from
 * its first day, so that an empty list is never believed.
 */
function requireWholeZone(rows: readonly Row<Host>[], plan: Plan): void {
  if (rows.length === 0) {
    throw new ProviderError(
      "conflict",
      "Namecheap lists no record of the zone. A change replaces the whole zone, so none is made while the list is empty.",
    );
  }
  const least = (plan.listedCount ?? 0) - planEdits(plan).remove.length;
  if (rows.length < least) {
    throw new ProviderError(
      "unavailable",
      `Namecheap listed ${rows.length} records of the zone where there are at least ${least}; nothing is written.`,
    );
  }
}

function isGenerated({ type }: Pick<Host, "type">, emailType: string | null): boolean {
  return type === "MX" && emailType !== null && hostedMail.has(emailType);
}

/** Any write would lose or change rows that cannot be sent back. */
function refuseUnwritable(rows: readonly Row<Host>[], coming: readonly DnsRecord[]): void {
  const stuck = rows.find(({ raw }) => raw.isDynamic || !writableTypes.test(raw.type));
  if (stuck !== undefined) {
    const { name, type } = stuck.raw;
    throw new ProviderError(
      "conflict",
      `The zone has a row (${name} ${type}) that Namecheap's interface cannot write back.`,
    );
  }
  if (coming.some(({ type }) => type === "SRV")) {
    throw new ProviderError("unsupported", "Namecheap's interface has no SRV records.");
  }
}

/** MX rows need the setting MX; any other setting is sent back as it is and conflicts with them. */
function mailSetting(
  current: string | null,
  hosts: readonly Host[],
): { readonly EmailType?: string } {
  const hasMx = hosts.some(({ type }) => type === "MX");
  // Left out, it stays as it is. NONE would switch off a mail setting that was not shown.
  if (current === null) return hasMx ? { EmailType: "MX" } : {};
  if (!hasMx) return { EmailType: current === "MX" ? "NONE" : current };
  if (current === "MX" || current === "NONE") return { EmailType: "MX" };
  throw new ProviderError(
    "conflict",
    `The domain's mail setting at Namecheap is ${current}, beside which no MX record can be.`,
  );
}

function toHost(record: DnsRecord, zone: string): Host {
  const isTarget = ["CNAME", "ALIAS", "MX", "NS"].includes(record.type);
  return {
    name: toRelative(record.name, zone) ?? "@",
    type: record.type,
    address: isTarget ? absoluteTarget(record.value) : record.value,
    preference: record.priority === null ? noPreference : String(record.priority),
    ttl: String(Math.min(record.ttl, maxTtlSeconds)),
    isDynamic: false,
  };
}

/** The element is spelt `host` or `Host`; anything else in the list is not understood and stops. */
function toRow(element: XmlElement, zone: string, emailType: string | null): Row<Host> {
  const { attributes } = element;
  if (element.name.toLowerCase() !== "host" || attributes["Type"] === undefined) {
    throw new ProviderError("unavailable", "Namecheap's list of records has an unexpected shape.");
  }
  const { Name: name = "@", Type: type, Address: address = "" } = attributes;
  const { MXPref: preference = noPreference, TTL: ttl = "1800" } = attributes;
  const value = type === "TXT" ? address : openTarget(address);
  const priority = type === "MX" ? Number(preference) : null;
  const record = { name: toAbsolute(name, zone), type, ttl: Number(ttl), priority, value };
  const isDynamic = attributes["IsDDNSEnabled"] === "true";
  const raw = { name, type, address, preference, ttl, isDynamic };
  const lockedBecause = isDynamic
    ? "it is updated by dynamic DNS"
    : isGenerated(raw, emailType)
      ? "it belongs to the domain's mail service"
      : null;
  return readRow({ id: null, raw, zone, record, lockedBecause });
}

/** Exceptions on Namecheap's side, which a retry may outlive. */
const transientCodes: ReadonlySet<number> = new Set([3050900, 5019169, 5050169, 5050900]);
const missingCodes: ReadonlySet<number> = new Set([2019166, 2016166, 3016166, 2030288]);

/** Last verified 2026-11. */
function toError(answer: XmlElement): ProviderError {
  const error = findChildren(child(answer, "Errors"), "Error")[0];
  const code = Number(error?.attributes["Number"] ?? 0);
  if (code === 1011150) {
    return new ProviderError(
      "auth",
      "Namecheap does not accept requests from this address; add it to the allowed list.",
    );
  }
  if (code === 1011102 || Math.floor(code / 1_000) === 1011 || Math.floor(code / 1_000) === 1010) {
    return new ProviderError(
      "auth",
      "Namecheap refused the key, or its interface is switched off for this account.",
    );
  }
  return new ProviderError(
    classifyCode(code, error?.text ?? ""),
    `Namecheap answered with error ${code}.`,
  );
}

function classifyCode(code: number, message: string): ProviderErrorKind {
  if (code === 500000 || /too many requests/i.test(message)) return "rate_limited";
  if (transientCodes.has(code)) return "unavailable";
  if (code === 4011103) return "auth";
  return missingCodes.has(code) ? "not_found" : "unsupported";
}

/** Throttling is reported as 405. */
const explain: Explain = (answer) => (answer.status === 405 ? { kind: "rate_limited" } : null);
