import { createHmac } from "node:crypto";
import { toAbsolute, toRelative, toUnicode } from "../../src/name.ts";
import { quoteTxt, readTarget, unquoteTxt } from "../../src/presentation.ts";
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

const testKeys = { api_key: "EXO0123456789abcdef", api_secret: "exoscale-secret-0123" };

export function startExoscale(): Promise<Backend> {
  // Operations are pending when they are answered, and done when they are asked for.
  const outcomes = new Map<string, Outcome>();
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_secret: "exoscale-revoked-99" },
    missingZone: { id: "no-such-zone", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, outcomes),
    malformed: (message) => failure(400, message),
  });
}

function handle(
  request: SimulatedRequest,
  store: ZoneStore,
  outcomes: Map<string, Outcome>,
): SimulatedAnswer {
  if (!isSigned(request)) return failure(403, `Invalid signature ${request.headers.authorization}`);
  const [version, resource, key, kind, id = ""] = request.segments;
  if (version !== "v2") return failure(404, "path");
  if (resource === "operation") return operationAnswer(key ?? "", outcomes);
  if (resource !== "dns-domain") return failure(404, "path");
  if (key === undefined) {
    const domains = store.zones().map(({ id, name }) => ({ id, "unicode-name": toUnicode(name) }));
    return { status: 200, body: { "dns-domains": domains } };
  }
  const zone = store.zones().find((one) => one.id === key);
  if (zone === undefined || kind !== "record") return failure(404, "Not Found");
  return act(request, zone, id, store, outcomes);
}

function act(
  request: SimulatedRequest,
  zone: StoredZone,
  id: string,
  store: ZoneStore,
  outcomes: Map<string, Outcome>,
): SimulatedAnswer {
  const begin = (outcome: Outcome): SimulatedAnswer => {
    if (!outcome.done && outcome.why === "missing") return failure(404, outcome.message);
    const operation = `op${outcomes.size}`;
    outcomes.set(operation, outcome);
    return { status: 200, body: { id: operation, state: "pending" } };
  };
  switch (request.method) {
    case "GET": {
      const shown = zone.records.map((record) => present(record, zone.name));
      return { status: 200, body: { "dns-domain-records": shown } };
    }
    case "POST": {
      const { type } = creation(JSON.parse(request.body), "");
      return begin(createOne(store, zone, parse(request, type, zone)));
    }
    case "PUT": {
      const type = zone.records.find((record) => record.id === id)?.type ?? "";
      const input = parse(request, type, zone);
      if (input.priority === 0) return failure(400, "priority must be greater than 0");
      return begin(updateOne(store, zone, id, input));
    }
    case "DELETE":
      return begin(deleteOne(store, zone, id));
    default:
      return failure(405, "method");
  }
}

function isSigned({ method, url, headers, body }: SimulatedRequest): boolean {
  const pattern = /^EXO2-HMAC-SHA256 credential=([^,]+),expires=(\d+),signature=(\S+)$/;
  const [, key, expires, given] = pattern.exec(String(headers.authorization)) ?? [];
  const message = [`${method} ${url.pathname}`, body, "", "", expires].join("\n");
  const signature = createHmac("sha256", testKeys.api_secret).update(message).digest("base64");
  const isFresh = Number(expires) > Date.now() / 1_000;
  return key === testKeys.api_key && given === signature && isFresh;
}

function operationAnswer(id: string, outcomes: Map<string, Outcome>): SimulatedAnswer {
  const outcome = outcomes.get(id);
  if (outcome === undefined) return failure(404, "Not Found");
  if (outcome.done) return { status: 200, body: { id, state: "success" } };
  const reason = outcome.why === "invalid" ? "incorrect" : "conflict";
  return { status: 200, body: { id, state: "failure", reason, message: outcome.message } };
}

/** The apex is empty, targets have no closing dot, texts are in quotes. */
function present(record: StoredRecord, zone: string): unknown {
  const { id, type, value, ttl, priority, extras } = record;
  const content = type === "TXT" ? quoteTxt(value) : value;
  const name = toRelative(record.name, zone, "");
  const shown = { id, name, type, content, ttl, "system-record": false, ...extras };
  return priority === null ? shown : { ...shown, priority };
}

const creation = object({ type: text });
const wire = object({ name: text, content: text, ttl: number, priority: optional(number, null) });

function parse(request: SimulatedRequest, type: string, { name: zone }: StoredZone): RecordInput {
  const given = wire(JSON.parse(request.body), "");
  const { ttl, content } = given;
  if (given.name === "" || given.name.endsWith(`.${zone}`)) throw new SyntaxError("name");
  if (type === "NS") throw new SyntaxError("NS records cannot be changed");
  const isTarget = ["CNAME", "ALIAS", "MX", "SRV"].includes(type);
  const plain = type === "TXT" ? unquoteTxt(content) : content;
  if (plain === null) throw new SyntaxError("content");
  const value = isTarget ? readTarget(content, null) : plain;
  const priority = type === "MX" || type === "SRV" ? (given.priority ?? 0) : null;
  return { name: toAbsolute(given.name, zone), type, ttl, value, priority };
}

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { message } };
}
