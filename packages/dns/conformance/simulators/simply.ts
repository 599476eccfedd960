import { toAbsolute, toRelative, toUnicode } from "../../src/name.ts";
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

const testKeys = { account_name: "S123456", api_key: "simply-key-0123456789" };

export function startSimply(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_key: "simply-key-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const login = Buffer.from(`${testKeys.account_name}:${testKeys.api_key}`).toString("base64");
  const input = String(request.headers.authorization);
  if (input !== `Basic ${login}`) return failure(401, `Invalid account authorization ${input}`);
  const segments = request.segments.filter((segment) => segment !== "");
  const [version, my, group, product, dns, kind, id = ""] = segments;
  if (version !== "2" || my !== "my" || group !== "products") return failure(404, "Unknown path");
  if (product === undefined) return { status: 200, body: { products: listProducts(store) } };
  const zone = store.zones().find((one) => toUnicode(one.name) === product);
  if (zone === undefined || dns !== "dns" || kind !== "records") {
    return failure(404, "The object was not found on your account");
  }
  switch (request.method) {
    case "GET":
      return success({ records: zone.records.map((record) => present(record, zone.name)) });
    case "POST":
      return answer(createOne(store, zone, parse(request, zone)));
    case "PUT":
      return answer(updateOne(store, zone, id, parse(request, zone)));
    case "DELETE":
      return answer(deleteOne(store, zone, id));
    default:
      return failure(405, "Method not allowed");
  }
}

/** Web space without a domain is a product, too; the handle of a domain is its name in Unicode. */
function listProducts(store: ZoneStore): readonly unknown[] {
  const domains = store.zones().map(({ name }) => {
    const shown = toUnicode(name);
    const domain = { name: shown, name_idn: name, managed: true };
    return { object: shown, name: shown, cancelled: false, domain, product: { name: "dns" } };
  });
  return [{ object: "W1", name: "Web space", cancelled: false, domain: null }, ...domains];
}

/** Bare texts and targets without a closing dot; the priority is 0 where the type has none. */
function present(record: StoredRecord, zone: string): unknown {
  const { id, type, value, ttl } = record;
  const priority = record.priority ?? 0;
  const name = toRelative(record.name, zone);
  return { record_id: Number(id), name, ttl, data: value, type, priority, comment: "" };
}

const wire = object({
  type: text,
  name: text,
  data: text,
  ttl: number,
  priority: optional(number, 0),
});

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const { type, name, data, ttl, priority } = wire(JSON.parse(request.body), "");
  if (name === "" || name.endsWith(zone)) throw new SyntaxError("Invalid record name");
  if (ttl < 60) throw new SyntaxError("Invalid TTL");
  if (type === "TXT" && /["\\]/.test(data)) throw new SyntaxError("Invalid record data");
  const ranked = type === "MX" || type === "SRV" ? { priority } : {};
  return { name: toAbsolute(name, zone), type, value: data, ttl, ...ranked };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return success({ record: { id: Number(outcome.record.id) } });
  return failure(outcome.why === "missing" ? 404 : 400, outcome.message);
}

function success(body: Readonly<Record<string, unknown>>): SimulatedAnswer {
  return { status: 200, body: { ...body, status: 200, message: "success" } };
}

function failure(status: number, error: string): SimulatedAnswer {
  return { status, body: { error } };
}
