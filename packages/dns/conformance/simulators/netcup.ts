import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData } from "../../src/presentation.ts";
import {
  boolean,
  isObject,
  list,
  object,
  optional,
  text,
} from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = {
  customer_number: "12345",
  api_key: "netcup-key-0123456789",
  api_password: "netcup-password-0123456789",
  domains: "conformance.example, sub.conformance.example, unrelated.example, absent.example",
};

export interface NetcupBackend extends Backend {
  readonly store: ZoneStore;
  /** How many sessions were begun and not ended. */
  openSessions(): number;
  /** Refuses so many of the next actions for their session. */
  loseSessions(times: number): void;
}

export async function startNetcup(): Promise<NetcupBackend> {
  const state = { sessions: new Set<string>(), issued: 0, losses: 0 };
  const backend = await startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_password: "netcup-password-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, state),
    throttled: () => failure("", 4013, "More than 180 requests per minute. Please wait."),
    malformed: (message) => failure("", 4013, `Validation Error. ${message}`),
  });
  return {
    ...backend,
    openSessions: () => state.sessions.size,
    loseSessions: (times) => {
      state.losses = times;
    },
  };
}

interface State {
  readonly sessions: Set<string>;
  issued: number;
  losses: number;
}

type Params = Readonly<Record<string, unknown>>;

/** Every action is a POST to one address, and every answer has status 200. */
function handle(request: SimulatedRequest, store: ZoneStore, state: State): SimulatedAnswer {
  const given: unknown = JSON.parse(request.body);
  if (!isObject(given) || !isObject(given["param"])) return failure("", 4013, "Message is empty.");
  const action = String(given["action"]);
  const param: Params = given["param"];
  if (param["apikey"] !== testKeys.api_key || param["customernumber"] !== "12345") {
    return failure(action, 4013, `Api key ${param["apikey"]} not valid`);
  }
  if (action === "login") return login(param, state);
  const session = String(param["apisessionid"]);
  if (!state.sessions.has(session)) return failure(action, 4001, "The session id is not valid.");
  if (action === "logout") {
    state.sessions.delete(session);
    return success(action, "");
  }
  if (state.losses > 0) {
    state.losses -= 1;
    return failure(action, 4001, "The session id is not in a valid format.");
  }
  return act(action, param, store);
}

function login({ apipassword }: Params, state: State): SimulatedAnswer {
  if (apipassword !== testKeys.api_password) {
    return failure("login", 4013, `The login to the API with ${apipassword} failed.`);
  }
  state.issued += 1;
  const apisessionid = `session${state.issued}`;
  state.sessions.add(apisessionid);
  return success("login", { apisessionid });
}

function act(action: string, param: Params, store: ZoneStore): SimulatedAnswer {
  const name = text(param["domainname"], "domainname");
  const zone = store.zones().find((one) => one.name === name);
  if (zone === undefined) {
    const why = "Domain not found. The zone could not be found.";
    return failure(action, action === "infoDnsZone" ? 5031 : 5028, why);
  }
  switch (action) {
    case "infoDnsZone": {
      const ttl = String(zone.records[0]?.ttl ?? 86_400);
      const rest = { serial: "2019042098", refresh: "28800", dnssecstatus: false };
      return success(action, { name, ttl, ...rest });
    }
    case "infoDnsRecords":
      // A zone without records is an error.
      if (zone.records.length === 0) return failure(action, 5029, "Can not get DNS records.");
      return success(action, listing(zone));
    case "updateDnsRecords":
      return update(param, zone, store);
    default:
      return failure(action, 4013, "Unknown action");
  }
}

function listing(zone: StoredZone) {
  return { dnsrecords: zone.records.map((record) => present(record, zone.name)) };
}

function present(record: StoredRecord, zone: string) {
  const { id, type, value, priority } = record;
  return {
    id,
    hostname: toRelative(record.name, zone),
    type,
    priority: type === "MX" ? String(priority) : "0",
    destination: type === "SRV" ? `${priority} ${value}.` : value,
    deleterecord: false,
    state: "unknown",
    ...record.extras,
  };
}

const wire = object({
  id: optional(text, ""),
  hostname: text,
  type: text,
  priority: optional(text, ""),
  destination: text,
  deleterecord: optional(boolean, false),
});
type Wire = ReturnType<typeof wire>;
const recordSet = object({ dnsrecords: list(wire) });

/** Only the records that are named come, change or go; without a key one is made. */
function update(param: Params, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { dnsrecords } = recordSet(param["dnsrecordset"], "dnsrecordset");
  for (const one of dnsrecords) {
    // Type, host and destination are mandatory, also where a record is deleted.
    const input = parse(one, zone);
    const isThere = zone.records.some(({ id }) => id === one.id);
    if (one.id !== "" && !isThere && !one.deleterecord) {
      return failure("updateDnsRecords", 5028, "The record could not be updated.");
    }
    if (one.deleterecord && !isThere) continue;
    const ids = isThere ? [one.id] : [];
    const problem = store.replace(zone, ids, one.deleterecord ? [] : [input]);
    if (problem !== null && !problem.ok) {
      return failure("updateDnsRecords", 4013, `Validation Error. ${problem.message}`);
    }
  }
  return success("updateDnsRecords", listing(zone));
}

/** A new record has the zone's TTL. */
function parse({ hostname, type, priority, destination }: Wire, zone: StoredZone): RecordInput {
  if (hostname === "" || hostname.endsWith(zone.name)) throw new SyntaxError("hostname");
  if (type === "NS") throw new SyntaxError("type");
  if (type === "TXT" && /["\\]/.test(destination)) {
    throw new SyntaxError("Please put quotation marks in front of a backslash.");
  }
  if (/^(?:MX|CNAME)$/.test(type) && destination.endsWith("."))
    throw new SyntaxError("destination");
  const name = toAbsolute(hostname, zone.name);
  const ttl = zone.records[0]?.ttl ?? 3_600;
  if (type === "MX") return { name, type, ttl, value: destination, priority: Number(priority) };
  if (type !== "SRV") return { name, type, ttl, value: destination, priority: null };
  const data = parseData(type, destination, null);
  if (data === null) throw new SyntaxError("destination");
  return { name, type, ttl, ...data };
}

function success(action: string, responsedata: unknown): SimulatedAnswer {
  const head = { serverrequestid: "YxTr4EzdbJ10", clientrequestid: "", action };
  const done = { status: "success", statuscode: 2000, shortmessage: "", longmessage: "" };
  return { status: 200, body: { ...head, ...done, responsedata } };
}

function failure(action: string, statuscode: number, longmessage: string): SimulatedAnswer {
  const head = { serverrequestid: "YxTr4EzdbJ10", clientrequestid: "", action, status: "error" };
  const rest = { statuscode, shortmessage: "Validation Error.", longmessage, responsedata: "" };
  return { status: 200, body: { ...head, ...rest } };
}
