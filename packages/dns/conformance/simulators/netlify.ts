import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import { printCaa } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne } from "./single-records.ts";

const apiToken = "netlify-token-0123456789";

export function startNetlify(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "netlify-token-revoked" },
    missingZone: { id: "0000", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`) return failure(401, `Access Denied ${input}`);
  const [, , resource, zoneId, kind, id = ""] = request.segments;
  if (resource !== "dns_zones") return failure(404, "Not Found");
  if (zoneId === undefined) {
    const servers = ["dns1.p01.nsone.net", "dns2.p01.nsone.net"];
    const zones = store
      .zones()
      .map((zone) => ({ id: zone.id, name: zone.name, dns_servers: servers }));
    return { status: 200, body: zones };
  }
  const zone = store.zone(zoneId);
  if (zone === null || kind !== "dns_records") return failure(404, "Not Found");
  if (request.method === "GET") return { status: 200, body: zone.records.map(present) };
  if (request.method === "POST") {
    const outcome = createOne(store, zone, parse(request));
    return outcome.done
      ? { status: 201, body: present(outcome.record) }
      : failure(422, outcome.message);
  }
  if (request.method !== "DELETE") return failure(405, "Method Not Allowed");
  return deleteOne(store, zone, id).done ? { status: 204 } : failure(404, "Not Found");
}

function present(record: StoredRecord): unknown {
  const { id, name, type, ttl, priority, value, extras } = record;
  const base = { id, hostname: name, type, ttl, priority, managed: extras["managed"] === true };
  if (type === "CAA") {
    const [, flag, tag, authority] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? [];
    return { ...base, flag: Number(flag), tag, value: authority };
  }
  if (type !== "SRV") return { ...base, value };
  const [weight, port, target] = value.split(" ");
  return { ...base, weight: Number(weight), port: Number(port), value: target };
}

const wire = object({
  type: text,
  hostname: text,
  value: text,
  ttl: number,
  priority: optional(number, null),
  weight: optional(number, 0),
  port: optional(number, 0),
  flag: optional(number, 0),
  tag: optional(text, ""),
});

function parse(request: SimulatedRequest): RecordInput {
  const { type, hostname: name, ttl, priority, ...input } = wire(JSON.parse(request.body), "");
  if (input.value.endsWith(".")) throw new SyntaxError("value ends with a dot");
  const base = { name, type, ttl };
  if (type === "CAA") return { ...base, value: printCaa(input.flag, input.tag, input.value) };
  if (type === "SRV")
    return { ...base, priority, value: `${input.weight} ${input.port} ${input.value}` };
  return { ...base, priority, value: input.value };
}

function failure(code: number, message: string): SimulatedAnswer {
  return { status: code, body: { code, message } };
}
