import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData, readTarget } from "../../src/presentation.ts";
import {
  child,
  escapeXml,
  findChildren,
  parseXml,
  type XmlElement,
} from "../../src/providers/adapter/xml.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { zoneFileData } from "./rrsets.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testUser = { username: "shop@loopiaapi", password: "loopia-password-<1>&" };

export interface LoopiaBackend extends Backend {
  /** The names of a zone that are subdomains, with or without records. */
  readonly subdomains: (zone: string) => readonly string[];
  /** The next calls are answered, those after them are too many, until this is set again. */
  readonly allowCalls: (count: number) => void;
}

export async function startLoopia(): Promise<LoopiaBackend> {
  /** Subdomains that have lost their records and are still there, by zone. */
  const empty = new Map<string, Set<string>>();
  const emptyIn = (zone: string) => empty.get(zone) ?? new Set<string>();
  let allowed = Number.POSITIVE_INFINITY;
  const backend = await startSimulator({
    credentials: testUser,
    wrongCredentials: { ...testUser, password: "loopia-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) => {
      allowed -= 1;
      return allowed < 0 ? status("RATE_LIMITED", true) : handle(request, store, empty);
    },
    throttled: () => status("RATE_LIMITED", true),
    malformed: () => status("BAD_INDATA", false),
  });
  return {
    ...backend,
    subdomains: (zone) => listSubdomains(requireZone(backend.store, zone), emptyIn(zone)),
    allowCalls: (count) => {
      allowed = count;
    },
  };
}

function requireZone(store: ZoneStore, name: string): StoredZone {
  const zone = store.zone(name);
  if (zone === null) throw new Error(`no zone ${name}`);
  return zone;
}

type Empty = Map<string, Set<string>>;

function handle(request: SimulatedRequest, store: ZoneStore, empty: Empty): SimulatedAnswer {
  const root = parseXml(request.body);
  const method = child(root, "methodName")?.text ?? "";
  const params = findChildren(child(root, "params"), "param").map((one) => child(one, "value"));
  if (request.headers["content-type"] !== "text/xml" || request.segments[0] !== "RPCSERV") {
    return fault(404, "Not found");
  }
  const [username, password, domain, subdomain = ""] = params.map(textIn);
  const isList = method.startsWith("get");
  if (username !== testUser.username || password !== testUser.password) {
    return status("AUTH_ERROR", isList);
  }
  if (method === "getDomains") return answer(array(store.zones().map(presentDomain)));
  const zone = store.zone(domain ?? "");
  if (zone === null) return status("UNKNOWN_ERROR", isList);
  const last = params[4] ?? null;
  return act(method, { zone, subdomain, last, store, empty });
}

interface Act {
  readonly zone: StoredZone;
  readonly subdomain: string;
  readonly last: XmlElement | null;
  readonly store: ZoneStore;
  readonly empty: Empty;
}

function act(method: string, { zone, subdomain, last, store, empty }: Act): SimulatedAnswer {
  const left = empty.get(zone.name) ?? new Set<string>();
  empty.set(zone.name, left);
  const name = toAbsolute(subdomain, zone.name);
  const own = zone.records.filter((record) => record.name === name);
  switch (method) {
    case "getSubdomains":
      return answer(array(listSubdomains(zone, left).map(string)));
    case "getZoneRecords":
      return answer(array(own.map(presentRecord)));
    case "addZoneRecord":
      return outcome(createOne(store, zone, readRecord(last, name).input));
    case "updateZoneRecord": {
      const { id, input } = readRecord(last, name);
      if (!own.some((record) => record.id === id)) return status("UNKNOWN_ERROR", false);
      return outcome(updateOne(store, zone, id, input));
    }
    case "removeZoneRecord": {
      const id = textIn(last);
      if (!own.some((record) => record.id === id)) return status("UNKNOWN_ERROR", false);
      if (own.length === 1) left.add(subdomain);
      return outcome(deleteOne(store, zone, id));
    }
    case "removeSubdomain":
      for (const { id } of own) store.remove(zone, id);
      left.delete(subdomain);
      return status("OK", false);
    default:
      return fault(620, "Method not allowed");
  }
}

/** A subdomain comes with its first record, and stays when the last one goes. */
function listSubdomains(zone: StoredZone, empty: ReadonlySet<string>): readonly string[] {
  const named = zone.records.map(({ name }) => toRelative(name, zone.name) ?? "@");
  return [...new Set(["@", ...named, ...empty])];
}

function presentDomain({ name }: StoredZone): string {
  return struct({ domain: string(name), paid: "<boolean>1</boolean>", unpaid_amount: int(0) });
}

function presentRecord(record: StoredRecord): string {
  const { id, type, ttl, value, priority } = record;
  const isBare = type === "TXT" || type === "MX";
  const data = type === "MX" ? `${value}.` : value;
  return struct({
    type: string(type),
    ttl: int(ttl),
    priority: int(priority ?? 0),
    rdata: string(isBare ? data : zoneFileData(record)),
    record_id: int(Number(id)),
  });
}

function readRecord(
  value: XmlElement | null,
  name: string,
): { readonly id: string; readonly input: RecordInput } {
  const members = findChildren(value === null ? null : child(value, "struct"), "member");
  const fields = Object.fromEntries(
    members.map((one) => [child(one, "name")?.text ?? "", textIn(child(one, "value"))]),
  );
  const { type = "", rdata = "", record_id: id = "" } = fields;
  const [ttl, priority] = [Number(fields["ttl"]), Number(fields["priority"])];
  if (type === "TXT") {
    if (rdata.length > 450 || rdata === "") throw new SyntaxError("rdata");
    return { id, input: { name, type, ttl, value: rdata } };
  }
  if (/(?:^|\s)\.$/.test(rdata)) throw new SyntaxError("rdata");
  const data =
    type === "MX"
      ? { value: readTarget(rdata, "origin.invalid"), priority }
      : readData(type, rdata);
  if (type === "SRV" && data.priority !== priority) throw new SyntaxError("priority");
  return { id, input: { name, type, ttl, ...data } };
}

function readData(type: string, rdata: string) {
  const parsed = parseData(type, rdata, "origin.invalid");
  if (parsed === null) throw new SyntaxError("rdata");
  return parsed;
}

function textIn(value: XmlElement | null): string {
  return value?.children[0]?.text.trim() ?? value?.text.trim() ?? "";
}

function outcome(result: Outcome): SimulatedAnswer {
  return status(result.done ? "OK" : "UNKNOWN_ERROR", false);
}

const string = (text: string) => `<string>${escapeXml(text)}</string>`;
const int = (value: number) => `<int>${value}</int>`;
const array = (items: readonly string[]) =>
  `<array><data>${items.map((one) => `<value>${one}</value>`).join("")}</data></array>`;

function struct(fields: Readonly<Record<string, string>>): string {
  const members = Object.entries(fields).map(
    ([name, value]) => `<member><name>${name}</name><value>${value}</value></member>`,
  );
  return `<struct>${members.join("")}</struct>`;
}

/** A method that gives a list has the status as its only entry. */
function status(code: string, isList: boolean): SimulatedAnswer {
  return answer(isList ? array([string(code)]) : `\n<string>\n  ${code}\n</string>\n`);
}

function answer(value: string): SimulatedAnswer {
  return reply(`<params><param><value>${value}</value></param></params>`);
}

function fault(code: number, text: string): SimulatedAnswer {
  const value = struct({ faultCode: int(code), faultString: string(text) });
  return reply(`<fault><value>${value}</value></fault>`);
}

function reply(content: string): SimulatedAnswer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><methodResponse>${content}</methodResponse>`;
  return { status: 200, body };
}
