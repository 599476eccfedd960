import { entryFor } from "../../foreign-text.ts";
import { normalizeName, toAbsolute, toRelative } from "../../name.ts";
import { plainTxt, readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import {
  anything,
  type Decoder,
  decodeJson,
  list,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

const apiUrl = "https://api.reg.ru/api/regru2";
/** Documented as letters and digits of ASCII; texts of mail policies are accepted as well. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 512 };
/** The types whose content is known in both directions; others are only shown. */
const addCommands: Readonly<Record<string, { command: string; field: string }>> = {
  A: { command: "add_alias", field: "ipaddr" },
  AAAA: { command: "add_aaaa", field: "ipaddr" },
  CNAME: { command: "add_cname", field: "canonical_name" },
  MX: { command: "add_mx", field: "mail_server" },
  NS: { command: "add_ns", field: "dns_server" },
  TXT: { command: "add_txt", field: "text" },
};

const failure = {
  result: text,
  error_code: optional(text, ""),
  error_text: optional(text, ""),
};
const envelope = object({ ...failure, answer: optional(anything, {}) });
const outcomes = object({ domains: optional(list(object(failure)), []) });
const services = object({
  services: list(object({ dname: optional(text, ""), state: optional(text, "A") })),
});
const wireRecord = object({
  subname: text,
  rectype: text,
  content: optional(text, ""),
  prio: optional(textOrNumber, null),
  priority: optional(textOrNumber, null),
});
type WireRecord = ReturnType<typeof wireRecord>;
const zones = object({
  domains: list(
    object({
      rrs: optional(list(wireRecord), []),
      soa: optional(object({ ttl: optional(textOrNumber, "") }), { ttl: "" }),
    }),
  ),
});

type Params = Readonly<Record<string, unknown>>;

export const regru = defineRecordProvider<WireRecord>(manifest, (credentials, { http }) => {
  const login = {
    username: credentials["username"] ?? "",
    password: credentials["password"] ?? "",
    input_format: "json",
    output_format: "json",
  };

  /** One form for all commands; errors of the command or of its domain come with status 200. */
  const call = async <T>(
    command: string,
    params: Params,
    decoder: Decoder<T>,
    signal: AbortSignal,
    idempotent = true,
  ): Promise<T> => {
    const form = new URLSearchParams({ ...login, input_data: JSON.stringify(params) });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const request = { method: "POST", url: `${apiUrl}/${command}`, headers } as const;
    const answer = await http.send({ ...request, body: form.toString(), idempotent }, signal);
    const outer = decodeJson(answer, envelope);
    const inner = outer.result === "success" ? outcomes(outer.answer, "answer").domains : [];
    const failed = [outer, ...inner].find(({ result }) => result !== "success");
    if (failed !== undefined) throw toError(failed.error_code, failed.error_text);
    return decoder(outer.answer, "answer");
  };
  const domains = (zone: Zone) => [{ dname: zone.id }];

  return {
    textLimits,
    requireWritable: requireKnownTypes,
    readNameservers: "apex",
    async listZones(signal) {
      const listed = await call("service/get_list", { servtype: "domain" }, services, signal);
      return listed.services.flatMap(({ dname, state }) => {
        // The name may be in Unicode; both spellings are accepted.
        const name = state === "D" ? null : normalizeName(dname);
        return name === null ? [] : [{ id: name, name, nameservers: [] }];
      });
    },
    async readRows(zone, signal) {
      const params = { domains: domains(zone) };
      const answer = await call("zone/get_resource_records", params, zones, signal);
      const [found] = answer.domains;
      if (found === undefined) {
        throw new ProviderError("not_found", `REG.RU did not list ${zone.name}.`);
      }
      const ttl = readDuration(found.soa.ttl) ?? manifest.defaultTtlSeconds;
      return found.rrs.map((one) => toRow(one, ttl, zone.name));
    },
    async remove(zone, { raw }, signal) {
      const params = {
        domains: domains(zone),
        subdomain: raw.subname,
        record_type: raw.rectype,
        // Without it, every record of the name and type would go.
        content: requireContent(raw),
        // Without it, only records of priority 0 are found.
        ...(raw.rectype === "MX" || raw.rectype === "NS" ? { priority: readPriority(raw) } : {}),
      };
      await call("zone/remove_record", params, anything, signal);
    },
    async add(zone, record, signal) {
      const { command, field } = addCommands[record.type] ?? refuse(record);
      const params = {
        domains: domains(zone),
        subdomain: toRelative(record.name, zone.name),
        [field]: record.value,
        ...(record.priority === null ? {} : { priority: record.priority }),
      };
      await call(`zone/${command}`, params, anything, signal, false);
    },
  };
});

function requireContent({ subname, rectype, content }: WireRecord): string {
  if (content !== "") return content;
  throw new ProviderError("conflict", `${subname} ${rectype} has no content to remove it by.`);
}

function readPriority({ prio, priority }: WireRecord): number {
  return Number(prio ?? priority ?? 0);
}

function toRow(raw: WireRecord, ttl: number, zone: string): Row<WireRecord> {
  const type = raw.rectype.toUpperCase();
  const record = {
    name: toAbsolute(raw.subname, zone),
    type,
    ttl,
    priority: type === "MX" || type === "SRV" ? readPriority(raw) : null,
    value: readContent(type, raw.content),
  };
  return readRow({ id: null, raw, zone, record });
}

function readContent(type: string, content: string): string | null {
  if (!Object.hasOwn(addCommands, type) || content === "") return null;
  if (type === "TXT") return plainTxt(content);
  return type === "A" || type === "AAAA" ? content : readTarget(content, null);
}

const secondsByUnit: Readonly<Record<string, number>> = {
  "": 1,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};

/** The TTL of the whole zone: seconds, or a number with a unit. */
function readDuration(given: string): number | null {
  const [, digits = "", unit = ""] = /^(\d{1,9})([smhdw]?)$/.exec(given) ?? [];
  return digits === "" ? null : Number(digits) * (secondsByUnit[unit] ?? 1);
}

function requireKnownTypes(records: readonly DnsRecord[]): void {
  for (const record of records) {
    if (!Object.hasOwn(addCommands, record.type)) refuse(record);
  }
}

function refuse({ name, type }: DnsRecord): never {
  const why = `how REG.RU lists ${type} records is not known`;
  throw new ProviderError("unsupported", `${name}: ${why}, so that none is written.`);
}

/** Last verified 2026-11. */
const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  NO_USERNAME: "auth",
  NO_AUTH: "auth",
  PASSWORD_AUTH_FAILED: "auth",
  USER_AUTHENTICATION_FAILED: "auth",
  MORE_THAN_ONE_ACCOUNT_WITH_THE_SAME_EMAIL: "auth",
  RESELLER_AUTH_FAILED: "auth",
  ACCESS_DENIED: "auth",
  ACCESS_DENIED_FROM_IP: "auth",
  ACCESS_DENIED_TO_OBJECT: "auth",
  ACCOUNT_BLOCKED: "auth",
  DOMAIN_PROTECTION: "auth",
  DOMAIN_NOT_FOUND: "not_found",
  SERVICE_NOT_FOUND: "not_found",
  SERVICE_ID_NOT_FOUND: "not_found",
  INVALID_DOMAIN_NAME_FORMAT: "not_found",
  DOMAIN_IS_NOT_USE_REGRU_NSS: "not_found",
  DOMAIN_IS_NOT_ACTIVE: "not_found",
  IP_EXCEEDED_ALLOWED_CONNECTION_RATE: "rate_limited",
  ACCOUNT_EXCEEDED_ALLOWED_CONNECTION_RATE: "rate_limited",
  CONFLICT_CNAME: "conflict",
  SERVICE_UNAVAILABLE: "unavailable",
  INTERNAL_ERROR: "unavailable",
  CONNECTION_FAILED: "unavailable",
};

function toError(code: string, said: string): ProviderError {
  const kind = entryFor(kindByCode, code);
  // What is said of a credential may repeat it.
  const detail = kind === "auth" || said === "" ? "." : `: ${said}`;
  return new ProviderError(kind ?? "unsupported", `REG.RU answered ${code}${detail}`);
}
