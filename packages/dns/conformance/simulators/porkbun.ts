import { toAbsolute } from "../../src/name.ts";
import { object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = { api_key: "pk1_0123456789", secret_api_key: "sk1_0123456789" };
const domainsPerPage = 25;

export function startPorkbun(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, secret_api_key: "sk1_revoked9999" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "INVALID_REQUEST", message),
  });
}

const auth = object({ apikey: text, secretapikey: text });

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.method !== "POST") return failure(405, "METHOD_NOT_ALLOWED", "All calls are POST");
  const body: unknown = JSON.parse(request.body);
  const { apikey, secretapikey } = auth(body, "");
  if (apikey !== testKeys.api_key || secretapikey !== testKeys.secret_api_key) {
    return failure(400, "INVALID_API_KEYS_001", `Invalid API key. ${secretapikey}`);
  }
  const [, , , group, action, domain, id] = request.segments;
  if (group === "domain" && action === "listAll") {
    const start = Number(object({ start: text })(body, "").start);
    const shown = store.zones().slice(start, start + domainsPerPage);
    return success({ domains: shown.map(({ name }) => ({ domain: name, status: "ACTIVE" })) });
  }
  const zone = store.zone(domain ?? "");
  // Also the answer for a domain whose own switch for the API is off.
  if (zone === null) return failure(400, "INVALID_DOMAIN", "Invalid domain.");
  return act(action, id ?? "", body, zone, store);
}

function act(
  action: string | undefined,
  id: string,
  body: unknown,
  zone: StoredZone,
  store: ZoneStore,
): SimulatedAnswer {
  switch (action) {
    case "retrieve":
      return success({ records: zone.records.map(present) });
    case "create": {
      const result = store.add(zone, parse(body, zone));
      if (result.ok) return success({ id: Number(result.record.id) });
      const code = result.problem === "duplicate" ? "DUPLICATE_RECORD" : "CREATE_ERROR";
      return failure(400, code, `Create error: ${result.message}`);
    }
    case "edit": {
      const problem = store.replace(zone, [id], [parse(body, zone)]);
      return problem === null
        ? success({})
        : failure(400, "EDIT_ERROR", "Edit error: We were unable to edit the DNS record.");
    }
    case "delete":
      return store.remove(zone, id) === null
        ? failure(400, "INVALID_RECORD_ID", "Invalid record ID.")
        : success({});
    default:
      return failure(404, "NOT_FOUND", "Unknown command");
  }
}

/** Full names and texts for numbers, as this interface answers them. */
function present(record: StoredZone["records"][number]): unknown {
  const { id, name, type, value, ttl, priority } = record;
  return {
    id,
    name,
    type,
    content: value,
    ttl: String(ttl),
    prio: String(priority ?? 0),
    notes: "",
  };
}

const wire = object({
  name: text,
  type: text,
  content: text,
  ttl: text,
  prio: optional(text, null),
});

function parse(body: unknown, zone: StoredZone): RecordInput {
  const { name, type, content, ttl, prio } = wire(body, "");
  if (name.endsWith(zone.name) || name === "@") throw new SyntaxError("The name must be relative.");
  if (Number(ttl) < 600) throw new SyntaxError("The minimum TTL is 600.");
  if (type === "TXT" && content !== content.trim()) throw new SyntaxError("Trailing space.");
  const priority = prio === null ? null : Number(prio);
  return { name: toAbsolute(name, zone.name), type, value: content, ttl: Number(ttl), priority };
}

function success(body: Readonly<Record<string, unknown>>): SimulatedAnswer {
  return { status: 200, body: { status: "SUCCESS", ...body } };
}

/** The code is a text; the same body comes with status 200 from some endpoints. */
function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: { status: "ERROR", code, message } };
}
