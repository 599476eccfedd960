import { normalizeName, toAbsolute, toRelative, toUnicode } from "../../src/name.ts";
import { isObject, object, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne } from "./single-records.ts";

const testKeys = { username: "shop", password: "regru-password-1" };
const defaultTtl = 86_400;

export function startRegru(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, password: "regru-password-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    throttled: () => refused("IP_EXCEEDED_ALLOWED_CONNECTION_RATE", "Too many requests"),
    malformed: (message) => refused("PARAMETER_INCORRECT", message),
  });
}

type Params = Readonly<Record<string, unknown>>;

/** Every command is a POST of a form, and every answer has status 200. */
function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.method !== "POST") return refused("ONLY_POST_ALLOWED", "Only HTTP method POST");
  if (request.url.search !== "") return refused("QUERY_PARAMS_DISALLOWED", "Query string");
  const form = new URLSearchParams(request.body);
  if (form.get("username") !== testKeys.username || form.get("password") !== testKeys.password) {
    const why = `Username/password incorrect: ${form.get("password")}`;
    return refused("PASSWORD_AUTH_FAILED", why);
  }
  const params: unknown = JSON.parse(form.get("input_data") ?? "null");
  if (form.get("input_format") !== "json" || !isObject(params)) {
    return refused("PARAMETER_MISSING", "input_data required");
  }
  const [, , category, command = ""] = request.segments;
  if (category === "service" && command === "get_list") return listServices(params, store);
  if (category !== "zone") return refused("NO_SUCH_COMMAND", "Command not found");
  const zone = findZone(params, store);
  if (zone === null) return perDomain({ error_code: "DOMAIN_NOT_FOUND", result: "error" });
  return act(command, params, zone, store);
}

const domain = object({ dname: text });

function findZone({ domains }: Params, store: ZoneStore): StoredZone | null {
  const [first]: readonly unknown[] = Array.isArray(domains) ? domains : [];
  return store.zone(normalizeName(domain(first, "domains").dname) ?? "");
}

/** The names of domains in other scripts are in Unicode; what is cancelled is listed as well. */
function listServices({ servtype }: Params, store: ZoneStore): SimulatedAnswer {
  if (servtype !== "domain") return refused("SERVICE_NOT_SPECIFIED", "servtype");
  const listed = store.zones().map(({ name }, at) => {
    const service_id = 12_345 + at;
    return { dname: toUnicode(name), service_id, servtype: "domain", state: "A" };
  });
  const gone = { dname: "gone.example", service_id: 1, servtype: "domain", state: "D" };
  return succeeded({ services: [...listed, gone] });
}

function act(command: string, params: Params, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  if (command === "get_resource_records") {
    return perDomain({
      dname: zone.name,
      result: "success",
      rrs: zone.records.map((record) => present(record, zone.name)),
      service_id: "12345",
      servtype: "domain",
      soa: { minimum_ttl: "3h", ttl: writeDuration(zone.records[0]?.ttl ?? defaultTtl) },
    });
  }
  if (command === "remove_record") return removeRecords(params, zone, store);
  const outcome = createOne(store, zone, parse(command, params, zone));
  if (outcome.done) return perDomain({ dname: zone.name, result: "success" });
  const error_code = outcome.why === "clash" ? "CONFLICT_CNAME" : "PARAMETER_INCORRECT";
  return perDomain({ dname: zone.name, error_code, error_text: outcome.message, result: "error" });
}

function writeDuration(seconds: number): string {
  return seconds % 3_600 === 0 ? `${seconds / 3_600}h` : String(seconds);
}

/** Targets end with a dot; the priority is a number or a text, and the order of name servers. */
function present(record: StoredRecord, zone: string) {
  const { type, value, priority } = record;
  const isTarget = /^(?:CNAME|MX|NS)$/.test(type);
  return {
    content: isTarget ? `${value}.` : value,
    prio: type === "MX" ? String(priority) : 0,
    rectype: type,
    state: "A",
    subname: toRelative(record.name, zone),
  };
}

const fieldByCommand: Readonly<Record<string, readonly [string, string]>> = {
  add_alias: ["A", "ipaddr"],
  add_aaaa: ["AAAA", "ipaddr"],
  add_cname: ["CNAME", "canonical_name"],
  add_mx: ["MX", "mail_server"],
  add_ns: ["NS", "dns_server"],
  add_txt: ["TXT", "text"],
};

/** A new record has the zone's TTL. */
function parse(command: string, params: Params, zone: StoredZone): RecordInput {
  const [type, field] = fieldByCommand[command] ?? [];
  if (type === undefined || field === undefined) throw new SyntaxError(`no command ${command}`);
  const subdomain = text(params["subdomain"], "subdomain");
  if (subdomain.endsWith(zone.name)) throw new SyntaxError("Invalid subdomain");
  const value = text(params[field], field);
  if (type === "TXT" && (value.length > 512 || /["\\]/.test(value))) {
    throw new SyntaxError("Text contains invalid characters");
  }
  const ttl = zone.records[0]?.ttl ?? 3_600;
  const priority = type === "MX" ? Number(params["priority"] ?? 0) : null;
  return { name: toAbsolute(subdomain, zone.name), type, value, ttl, priority };
}

/** Without `content` all records of the name and type go; the priority is 0 unless it is named. */
function removeRecords(params: Params, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { subdomain, record_type: type, content, priority = 0 } = params;
  const doomed = zone.records.filter((record) => {
    const row = present(record, zone.name);
    if (row.subname !== subdomain || row.rectype !== type) return false;
    if (Number(row.prio) !== Number(priority)) return false;
    return content === undefined || row.content === content;
  });
  if (doomed.length > 0) {
    store.replace(
      zone,
      doomed.map(({ id }) => id),
      [],
    );
  }
  return perDomain({ dname: zone.name, result: "success", service_id: "12345" });
}

function succeeded(answer: unknown): SimulatedAnswer {
  return {
    status: 200,
    body: { answer, charset: "utf-8", messagestore: null, result: "success" },
  };
}

/** A failure of the domain is inside an answer that succeeded. */
function perDomain(outcome: Readonly<Record<string, unknown>>): SimulatedAnswer {
  return succeeded({ domains: [outcome] });
}

function refused(code: string, why: string): SimulatedAnswer {
  const body = { charset: "utf-8", error_code: code, error_text: why, messagestore: null };
  return { status: 200, body: { ...body, result: "error" } };
}
