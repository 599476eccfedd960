import { toAbsolute, toRelative } from "../../src/name.ts";
import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const apiToken = "vercel-token-0123456789";
const teamId = "team_example";
const maxPerPage = 20;

export function startVercel(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken, team_id: teamId },
    wrongCredentials: { api_token: "vercel-token-revoked", team_id: teamId },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "bad_request", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`) return failure(403, "forbidden", `Not authorized ${input}`);
  if (request.url.searchParams.get("teamId") !== teamId)
    return failure(403, "forbidden", "wrong team");
  const [version, resource, domain, kind, id = ""] = request.segments;
  if (resource !== "domains") return failure(404, "not_found", "no such resource");
  if (domain === undefined) return page(request, "domains", store.zones().map(presentZone));
  if (version === "v1" && domain === "records") return update(request, store, kind ?? "");
  const zone = store.zone(domain);
  if (zone === null || kind !== "records") return failure(404, "not_found", "Domain not found");
  switch (request.method) {
    case "GET":
      return page(request, "records", [
        ...systemRows(),
        ...zone.records.map((one) => present(one, zone.name)),
      ]);
    case "POST":
      return answer(createOne(store, zone, parse(JSON.parse(request.body), "", zone)));
    case "DELETE":
      return answer(deleteOne(store, zone, id));
    default:
      return failure(405, "method_not_allowed", "no");
  }
}

function presentZone({ id, name }: StoredZone): unknown {
  return {
    id,
    name,
    userId: "user_example",
    teamId,
    creator: { id: "user_example", username: "owner", email: "owner@example.net" },
    boughtAt: null,
    createdAt: 1_700_000_000_000,
    expiresAt: null,
    verified: true,
    echMode: "auto",
    serviceType: "zeit.world",
    nameservers: ["ns1.elsewhere.example"],
    intendedNameservers: ["ns1.vercel-dns.com", "ns2.vercel-dns.com"],
  };
}

const made = 1_700_000_000_000;
const times = { created: made, createdAt: made, updated: made, updatedAt: made };

/** Every zone lists default records. */
function systemRows(): readonly unknown[] {
  const base = { ttl: 60, creator: "system", slug: "", ...times };
  return [
    { ...base, id: "rec_sys1", name: "*", type: "ALIAS", value: "cname.vercel-dns.com" },
    { ...base, id: "rec_sys2", name: "", type: "CAA", value: '0 issue "letsencrypt.org"' },
  ];
}

/** `until` is a time in the real service; here it is the number of items before. */
function page(request: SimulatedRequest, key: string, items: readonly unknown[]): SimulatedAnswer {
  const from = Number(request.url.searchParams.get("until") ?? 0);
  const shown = items.slice(from, from + maxPerPage);
  const next = from + maxPerPage < items.length ? from + maxPerPage : null;
  return {
    status: 200,
    body: { [key]: shown, pagination: { count: shown.length, next, prev: null } },
  };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, type, ttl, priority, value } = record;
  const relative = toRelative(record.name, zone);
  const shown = { id, type, name: relative === "@" ? "" : relative, ttl };
  const base = { ...shown, slug: "", creator: "user", ...times };
  if (type === "MX") return { ...base, value, mxPriority: priority };
  if (type === "CNAME") return { ...base, value: `${value}.` };
  return { ...base, value: type === "SRV" ? `${priority} ${value}` : value };
}

const wire = object({
  type: optional(text, null),
  name: text,
  value: optional(text, null),
  ttl: number,
  mxPriority: optional(number, null),
  srv: optional(object({ priority: number, weight: number, port: number, target: text }), null),
});

function update(request: SimulatedRequest, store: ZoneStore, id: string): SimulatedAnswer {
  const zone = store.zones().find(({ records }) => records.some((record) => record.id === id));
  const old = zone?.records.find((record) => record.id === id);
  if (request.method !== "PATCH" || zone === undefined || old === undefined) {
    return failure(404, "not_found", "Record not found");
  }
  const outcome = updateOne(store, zone, id, parse(JSON.parse(request.body), old.type, zone));
  if (!outcome.done) return answer(outcome);
  const { name, type, value, ttl } = outcome.record;
  const relative = toRelative(name, zone.name);
  const common = { id: outcome.record.id, domain: zone.name, creator: "user", recordType: type };
  return {
    status: 200,
    body: { ...common, type: "record", name: relative === "@" ? "" : relative, value, ttl },
  };
}

function parse(body: unknown, fixedType: string, { name: zone }: StoredZone): RecordInput {
  const input = wire(body, "");
  const type = input.type ?? fixedType;
  if (input.ttl < 60) throw new SyntaxError("ttl is too low");
  if (input.type !== null && fixedType !== "") throw new SyntaxError("type cannot be changed");
  const base = { name: toAbsolute(input.name, zone), type, ttl: input.ttl };
  if (type === "SRV") {
    if (input.srv === null || input.value !== null)
      throw new SyntaxError("srv without value expected");
    const { priority, weight, port, target } = input.srv;
    return { ...base, priority, value: `${weight} ${port} ${target}` };
  }
  return { ...base, priority: input.mxPriority, value: input.value ?? "" };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return { status: 200, body: { uid: outcome.record.id, updated: 1 } };
  const status = { missing: 404, clash: 409, duplicate: 409, invalid: 400 }[outcome.why];
  return failure(status, "invalid_value", outcome.message);
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: { error: { code, message } } };
}
