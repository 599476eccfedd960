import { normalizeName, toAbsolute, toRelative } from "../../src/name.ts";
import { isObject, text, textOrNumber } from "../../src/providers/adapter/json.ts";
import { escapeXml, parseXml } from "../../src/providers/adapter/xml.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = { login: "w0123456", password: "kas-password-0123456789" };
const token = "593959ca04f0de9689b586c6a647d15d";
/** What every answer asks to wait. */
export const floodSeconds = 0.5;

export function startAllInkl(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, password: "kas-password-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    throttled: (seconds) => fault("flood_protection", String(seconds)),
    malformed: (message) => fault("missing_parameter", message),
  });
}

type Params = Readonly<Record<string, unknown>>;

/** SOAP around one parameter of JSON. A fault has status 500. */
function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const [, file] = request.segments;
  const operation = file?.replace(/\.php$/, "") ?? "";
  const [call] = parseXml(request.body).children[0]?.children ?? [];
  if (request.method !== "POST" || call?.name !== `ns1:${operation}`) {
    return fault("got_no_data", "");
  }
  const params: unknown = JSON.parse(call.children[0]?.text ?? "null");
  if (!isObject(params)) return fault("json_syntax_incorrect", "");
  if (operation === "KasAuth") return authenticate(params);
  if (params["kas_auth_type"] !== "session" || params["kas_auth_data"] !== token) {
    return fault("unknown_session", String(params["kas_auth_data"]));
  }
  const inner = params["KasRequestParams"];
  return act(String(params["kas_action"]), isObject(inner) ? inner : {}, store);
}

function authenticate(params: Params): SimulatedAnswer {
  const { kas_login: login, kas_auth_data: data, kas_auth_type: type } = params;
  if (type !== "plain" || login !== testKeys.login || data !== testKeys.password) {
    return fault("kas_password_incorrect", String(data));
  }
  return envelope("KasAuth", `<return xsi:type="xsd:string">${token}</return>`);
}

function act(action: string, params: Params, store: ZoneStore): SimulatedAnswer {
  if (action === "get_domains") {
    const maps = store.zones().map(({ name }) => ({ domain_name: name, domain_path: "/web/" }));
    return succeeded(writeArray(maps));
  }
  if (action === "get_dns_settings" || action === "add_dns_settings") {
    const host = text(params["zone_host"], "zone_host");
    const zone = store.zone(host.endsWith(".") ? host.slice(0, -1) : "");
    if (zone === null) return fault("zone_not_found", host);
    if (action === "get_dns_settings") {
      return succeeded(writeArray(zone.records.map((record) => present(record, zone.name))));
    }
    return answer(createOne(store, zone, parse(params, params["record_type"], zone)));
  }
  return actOnRecord(action, params, store);
}

function actOnRecord(action: string, params: Params, store: ZoneStore): SimulatedAnswer {
  const id = text(params["record_id"], "record_id");
  const zone = store.zones().find((one) => one.records.some((record) => record.id === id));
  const stored = zone?.records.find((record) => record.id === id);
  if (zone === undefined || stored === undefined) return fault("record_id_not_found", id);
  if (action === "delete_dns_settings") return answer(deleteOne(store, zone, id));
  if (action !== "update_dns_settings") return fault("kas_action_not_found", action);
  const input = parse(params, stored.type, zone);
  const isSame = input.value === stored.value && (input.priority ?? null) === stored.priority;
  if (isSame) return fault("nothing_to_do", "");
  return answer(updateOne(store, zone, id, input));
}

/** Targets end with a dot; the apex has no name. */
function present(record: StoredRecord, zone: string): Params {
  const { id, type, value, priority } = record;
  return {
    record_zone: zone,
    record_name: toRelative(record.name, zone, ""),
    record_type: type,
    record_data: /^(?:CNAME|MX|NS)$/.test(type) ? `${value}.` : value,
    record_aux: priority ?? 0,
    record_id: id,
    record_changeable: "Y",
    record_deleteable: "Y",
    ...record.extras,
  };
}

/** A TTL cannot be given. */
function parse(params: Params, given: unknown, zone: StoredZone): RecordInput {
  const type = text(given, "record_type");
  const relative = text(params["record_name"], "record_name");
  const data = text(params["record_data"], "record_data");
  const aux = Number(textOrNumber(params["record_aux"], "record_aux"));
  if (relative.endsWith(zone.name)) throw new SyntaxError("record_name");
  const isTarget = /^(?:CNAME|MX|NS)$/.test(type);
  if (isTarget && !data.endsWith(".")) throw new SyntaxError("record_data is relative");
  if (type === "TXT" && /["\\]/.test(data)) throw new SyntaxError("record_data");
  const value = isTarget ? (normalizeName(data) ?? data) : data;
  const name = toAbsolute(relative, zone.name);
  return { name, type, value, ttl: 3_600, priority: type === "MX" ? aux : null };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return succeeded(writeScalar("value", outcome.record.id));
  const codes = {
    missing: "record_id_not_found",
    duplicate: "record_already_exists",
    clash: "record_already_exists",
    invalid: "record_data_syntax_incorrect",
  };
  return fault(codes[outcome.why], outcome.message);
}

function succeeded(info: string): SimulatedAnswer {
  const response = [
    writeEntry("KasFloodDelay", `<value xsi:type="xsd:float">${floodSeconds}</value>`),
    writeEntry("ReturnString", writeScalar("value", "TRUE")),
    writeEntry("ReturnInfo", info),
  ].join("");
  const request = writeEntry("KasRequestTime", '<value xsi:type="xsd:int">1624993260</value>');
  const map = (inner: string) => `<value xsi:type="ns2:Map">${inner}</value>`;
  const inner = writeEntry("Request", map(request)) + writeEntry("Response", map(response));
  return envelope("KasApi", `<return xsi:type="ns2:Map">${inner}</return>`);
}

function writeEntry(key: string, value: string): string {
  return `<item><key xsi:type="xsd:string">${key}</key>${value}</item>`;
}

function writeScalar(element: string, value: unknown): string {
  if (value === null) return `<${element} xsi:nil="true"/>`;
  const type = typeof value === "number" ? "int" : "string";
  return `<${element} xsi:type="xsd:${type}">${escapeXml(String(value))}</${element}>`;
}

function writeArray(maps: readonly Params[]): string {
  const items = maps.map((map) => {
    const entries = Object.entries(map).map(([key, value]) =>
      writeEntry(key, writeScalar("value", value)),
    );
    return `<item xsi:type="ns2:Map">${entries.join("")}</item>`;
  });
  const type = `SOAP-ENC:arrayType="ns2:Map[${maps.length}]" xsi:type="SOAP-ENC:Array"`;
  return `<value ${type}>${items.join("")}</value>`;
}

const namespaces = [
  'xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"',
  'xmlns:ns1="https://kasapi.kasserver.com/soap/KasApi.php"',
  'xmlns:ns2="http://xml.apache.org/xml-soap"',
  'xmlns:xsd="http://www.w3.org/2001/XMLSchema"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/"',
].join(" ");

function envelope(operation: string, inner: string, status = 200): SimulatedAnswer {
  const call = `<ns1:${operation}Response>${inner}</ns1:${operation}Response>`;
  return { status, body: wrap(status === 200 ? call : inner) };
}

function wrap(inner: string): string {
  const body = `<SOAP-ENV:Body>${inner}</SOAP-ENV:Body>`;
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${head}\n<SOAP-ENV:Envelope ${namespaces}>${body}</SOAP-ENV:Envelope>\n`;
}

function fault(code: string, detail: string): SimulatedAnswer {
  const parts = [
    "<faultcode>SOAP-ENV:Server</faultcode>",
    `<faultstring>${code}</faultstring>`,
    "<faultactor>KasApi</faultactor>",
    `<detail>${escapeXml(detail)}</detail>`,
  ];
  return { status: 500, body: wrap(`<SOAP-ENV:Fault>${parts.join("")}</SOAP-ENV:Fault>`) };
}
