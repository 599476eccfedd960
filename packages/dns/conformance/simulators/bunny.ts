import { toAbsolute, toRelative } from "../../src/name.ts";
import { boolean, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import { printCaa } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const apiKey = "bunny-key-0123456789";
const zonesPerPage = 25;
const typeNumbers: Readonly<Record<string, number>> = {
  A: 0,
  AAAA: 1,
  CNAME: 2,
  TXT: 3,
  MX: 4,
  SRV: 8,
  CAA: 9,
  NS: 12,
  HTTPS: 14,
};

export function startBunny(): Promise<Backend> {
  return startSimulator({
    credentials: { api_key: apiKey },
    wrongCredentials: { api_key: "bunny-key-revoked" },
    missingZone: { id: "zone0", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers["accesskey"];
  if (input !== apiKey) return failure(401, `Authorization has been denied for ${String(input)}`);
  const [resource, zoneId, kind, id = ""] = request.segments;
  if (resource !== "dnszone") return { status: 404 };
  if (zoneId === undefined) return listZones(request, store);
  const zone = store.zone(zoneId);
  if (zone === null) return { status: 404 };
  if (kind === undefined) {
    const records = zone.records.map((record) => present(record, zone.name));
    return { status: 200, body: { Id: zone.id, Domain: zone.name, Records: records } };
  }
  switch (request.method) {
    case "PUT":
      return answer(createOne(store, zone, parse(request, zone)), 201);
    case "POST":
      return answer(updateOne(store, zone, id, parse(request, zone)), 204);
    case "DELETE":
      return answer(deleteOne(store, zone, id), 204);
    default:
      return { status: 405 };
  }
}

function listZones(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const { items, hasMore } = slicePage(store.zones(), at, zonesPerPage);
  const shown = items.map(({ id, name }) => ({
    Id: id,
    Domain: name,
    Nameserver1: "kiki.bunny.net",
  }));
  return {
    status: 200,
    body: { Items: shown, TotalItems: store.zones().length, HasMoreItems: hasMore },
  };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, type, ttl, priority, value, extras } = record;
  const relative = toRelative(record.name, zone);
  // A name that follows another is a CNAME here, at the apex too.
  const Type = typeNumbers[type === "ALIAS" ? "CNAME" : type];
  const Name = relative === "@" ? "" : relative;
  const base = {
    Id: Number(id),
    Type,
    Name,
    Ttl: ttl,
    Priority: priority ?? 0,
    Disabled: false,
    ...extras,
  };
  if (type === "CAA") {
    const [, flags, tag, authority] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? [];
    return { ...base, Flags: Number(flags), Tag: tag, Value: authority };
  }
  if (type !== "SRV") return { ...base, Value: value };
  const [weight, port, target] = value.split(" ");
  return { ...base, Weight: Number(weight), Port: Number(port), Value: target };
}

const wire = object({
  Type: number,
  Name: text,
  Value: text,
  Ttl: number,
  Priority: optional(number, null),
  Weight: optional(number, 0),
  Port: optional(number, 0),
  Flags: optional(number, 0),
  Tag: optional(text, ""),
  Disabled: boolean,
});

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const input = wire(JSON.parse(request.body), "");
  const type = Object.entries(typeNumbers).find(([, code]) => code === input.Type)?.[0];
  if (type === undefined || input.Name === "@") throw new SyntaxError("Type or Name");
  if (input.Ttl < 60) throw new SyntaxError("Ttl");
  const base = { name: toAbsolute(input.Name, zone), type, ttl: input.Ttl };
  if (type === "CAA") return { ...base, value: printCaa(input.Flags, input.Tag, input.Value) };
  if (type === "SRV") {
    const value = `${input.Weight} ${input.Port} ${input.Value}`;
    return { ...base, priority: input.Priority, value };
  }
  return { ...base, priority: input.Priority, value: input.Value };
}

function answer(outcome: Outcome, status: number): SimulatedAnswer {
  if (!outcome.done)
    return outcome.why === "missing" ? { status: 404 } : failure(400, outcome.message);
  return status === 204 ? { status } : { status, body: { Id: Number(outcome.record.id) } };
}

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { ErrorKey: "validation_error", Field: "Value", Message: message } };
}
