import { createHash } from "node:crypto";
import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData } from "../../src/presentation.ts";
import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { DnsRecord, RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { zoneFileData } from "./rrsets.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = {
  endpoint: "ovh-eu",
  application_key: "app-key-0123",
  application_secret: "app-secret-0123",
  consumer_key: "consumer-key-0123",
};
/** The far clock goes wrong on purpose; only callers that ask for it are understood. */
const clockAheadSeconds = 4_000;

export async function startOvh(): Promise<Backend> {
  const served = new Map<string, readonly DnsRecord[]>();
  const backend = await startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, application_secret: "app-secret-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, served),
    malformed: (message) => failure(400, "Client::BadRequest", message),
  });
  return {
    ...backend,
    seed: async (zone, records) => {
      backend.store.seed(zone, records);
      served.set(zone, backend.store.canonical(zone));
    },
    // Only what was refreshed is answered by the name servers.
    records: async (zone) => served.get(zone) ?? [],
  };
}

function handle(
  request: SimulatedRequest,
  store: ZoneStore,
  served: Map<string, readonly DnsRecord[]>,
): SimulatedAnswer {
  const time = Math.floor(Date.now() / 1_000) + clockAheadSeconds;
  const [, group, kind, name, part, id = ""] = request.segments;
  if (group === "auth" && kind === "time") return { status: 200, body: time };
  const refusal = refuse(request, time);
  if (refusal !== null) return refusal;
  if (group !== "domain" || kind !== "zone") return failure(404, "Client::NotFound", "no");
  if (name === undefined) return { status: 200, body: store.zones().map((zone) => zone.name) };
  const zone = store.zone(name);
  if (zone === null) return failure(404, "Client::NotFound", "This service does not exist");
  if (part === "refresh" && request.method === "POST") {
    served.set(zone.name, store.canonical(zone.name));
    return { status: 200, body: null };
  }
  if (part === undefined) {
    return {
      status: 200,
      body: { name: zone.name, nameServers: ["dns10.ovh.net", "ns10.ovh.net"] },
    };
  }
  return part === "record"
    ? records(request, zone, store, id)
    : failure(404, "Client::NotFound", "no");
}

function refuse(request: SimulatedRequest, time: number): SimulatedAnswer | null {
  const { headers, method, url, body } = request;
  if (Math.abs(Number(headers["x-ovh-timestamp"]) - time) > 60) {
    return failure(400, "Client::BadRequest", "clock", "QUERY_TIME_OUT");
  }
  const parts = [
    testKeys.application_secret,
    testKeys.consumer_key,
    method,
    url.href,
    body,
    headers["x-ovh-timestamp"],
  ];
  const expected = `$1$${createHash("sha1").update(parts.join("+")).digest("hex")}`;
  const isGood =
    headers["x-ovh-signature"] === expected &&
    headers["x-ovh-application"] === testKeys.application_key;
  return isGood
    ? null
    : failure(400, "Client::BadRequest", "Invalid signature", "INVALID_SIGNATURE");
}

function records(
  request: SimulatedRequest,
  zone: StoredZone,
  store: ZoneStore,
  id: string,
): SimulatedAnswer {
  switch (request.method) {
    case "GET": {
      if (id === "") return { status: 200, body: zone.records.map((record) => Number(record.id)) };
      const found = zone.records.find((record) => record.id === id);
      if (found === undefined)
        return failure(404, "Client::NotFound", "The requested object does not exist");
      const relative = toRelative(found.name, zone.name);
      const subDomain = relative === "@" ? "" : relative;
      const native = toNative(found);
      const isBare = native !== null && native !== "SPF";
      const target = isBare ? found.value : zoneFileData(found);
      return {
        status: 200,
        body: {
          id: Number(id),
          fieldType: native ?? found.type,
          subDomain,
          target,
          ttl: found.ttl,
          zone: zone.name,
        },
      };
    }
    case "POST":
      return answer(createOne(store, zone, parse(request, zone, "")));
    case "PUT": {
      const old = zone.records.find((record) => record.id === id);
      const native = old === undefined ? null : toNative(old);
      return answer(updateOne(store, zone, id, parse(request, zone, native ?? old?.type ?? "")));
    }
    case "DELETE":
      return answer(deleteOne(store, zone, id));
    default:
      return failure(405, "Client::MethodNotAllowed", "no");
  }
}

/** Rows made in the panel have types of their own for some texts. */
function toNative({ type, extras }: StoredRecord): string | null {
  const native = extras["native"];
  return type === "TXT" && typeof native === "string" ? native : null;
}

const wire = object({
  fieldType: optional(text, null),
  subDomain: text,
  target: text,
  ttl: number,
});

function parse(
  request: SimulatedRequest,
  { name: zone }: StoredZone,
  fixedType: string,
): RecordInput {
  const input = wire(JSON.parse(request.body), "");
  if (fixedType !== "" && input.fieldType !== null)
    throw new SyntaxError("fieldType cannot change");
  if (input.ttl !== 0 && input.ttl < 60) throw new SyntaxError("ttl");
  const shown = input.fieldType ?? fixedType;
  if (/^(?:DKIM|DMARC)$/.test(shown) && input.target.startsWith('"')) {
    throw new SyntaxError(`Invalid subfield found in ${shown}`);
  }
  const type = /^(?:DKIM|DMARC|SPF)$/.test(shown) ? "TXT" : shown;
  const isBare = type === "TXT" && !input.target.startsWith('"');
  const data = isBare
    ? { value: input.target, priority: null }
    : parseData(type, input.target, zone);
  if (data === null || input.subDomain === "@") throw new SyntaxError(`bad target ${input.target}`);
  return { name: toAbsolute(input.subDomain, zone), type, ttl: input.ttl, ...data };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return { status: 200, body: { id: Number(outcome.record.id) } };
  if (outcome.why === "missing") return failure(404, "Client::NotFound", outcome.message);
  return failure(outcome.why === "invalid" ? 400 : 409, "Client::Conflict", outcome.message);
}

function failure(status: number, kind: string, message: string, errorCode = ""): SimulatedAnswer {
  return { status, body: { message, class: kind, errorCode } };
}
