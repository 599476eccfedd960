import { generateKeyPairSync, verify } from "node:crypto";
import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData, presentData } from "../../src/presentation.ts";
import { boolean, number, object, text } from "../../src/providers/adapter/json.ts";
import { parseRecord, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome } from "./single-records.ts";

const keys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const privateKey = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const accountName = "shopowner";
const token = "eyJhbGciOiJSUzUxMiJ9.transip.0123456789";

export function startTransip(): Promise<Backend> {
  return startSimulator({
    // As an input of one line gives it.
    credentials: { account_name: accountName, private_key: privateKey.replaceAll("\n", "") },
    wrongCredentials: { access_token: "transip-token-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    throttled: (seconds) => ({
      status: 429,
      headers: { "x-rate-limit-reset": String(Math.ceil(Date.now() / 1_000) + seconds) },
      body: { error: "Rate limit exceeded" },
    }),
    malformed: (message) => failure(406, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const [version, resource, name, kind] = request.segments;
  if (version !== "v6") return failure(404, "No such path");
  if (resource === "auth") return authenticate(request);
  const given = request.headers.authorization;
  if (given !== `Bearer ${token}`) return failure(401, `Your access token is invalid: ${given}`);
  if (name === undefined) {
    const domains = store.zones().map((zone) => ({ name: zone.name, isDnsOnly: false }));
    return { status: 200, body: { domains } };
  }
  const zone = store.zone(name);
  if (zone === null || kind !== "dns") return failure(404, `Domain with name '${name}' not found`);
  switch (request.method) {
    case "GET": {
      const dnsEntries = zone.records.map((record) => present(record, zone.name));
      return { status: 200, body: { dnsEntries } };
    }
    case "POST":
      return answer(createOne(store, zone, parse(request, zone)), 201);
    case "DELETE":
      return answer(remove(request, zone, store), 204);
    default:
      return failure(405, "Method not allowed");
  }
}

const login = object({
  login: text,
  nonce: text,
  read_only: boolean,
  expiration_time: text,
  label: text,
  global_key: boolean,
});

/** The body is signed with the account's key. */
function authenticate(request: SimulatedRequest): SimulatedAnswer {
  const given = login(JSON.parse(request.body), "");
  const signature = Buffer.from(String(request.headers["signature"]), "base64");
  const isSigned = verify("sha512", Buffer.from(request.body), keys.publicKey, signature);
  if (given.login !== accountName || !isSigned) return failure(401, "Invalid signature");
  return { status: 201, body: { token } };
}

/** Targets inside the zone come back relative, the zone itself as "@". Texts are bare. */
function present(record: StoredRecord, zone: string): unknown {
  const parsed = parseRecord(record);
  const { name, type, ttl: expire, value } = record;
  const isTarget = ["CNAME", "ALIAS", "NS"].includes(type);
  const zoneFile = parsed.ok && type !== "TXT" ? presentData(parsed.record) : value;
  const content = isTarget ? (toRelative(value, zone) ?? zoneFile) : zoneFile;
  return { name: toRelative(name, zone), expire, type, content };
}

const wire = object({
  dnsEntry: object({ name: text, expire: number, type: text, content: text }),
});

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const { name, expire, type, content } = wire(JSON.parse(request.body), "").dnsEntry;
  if (name === "" || name.endsWith(`.${zone}`)) throw new SyntaxError("name");
  if (expire < 60) throw new SyntaxError("expire");
  const data = type === "TXT" ? { value: content, priority: null } : parseData(type, content, zone);
  if (data === null) throw new SyntaxError(`content ${content}`);
  return { name: toAbsolute(name, zone), type, ttl: expire, ...data };
}

/** By the name, the TTL, the type and the content, as they were listed. */
function remove(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): Outcome {
  const { dnsEntry } = wire(JSON.parse(request.body), "");
  const found = zone.records.find(
    (record) => JSON.stringify(present(record, zone.name)) === JSON.stringify(dnsEntry),
  );
  return deleteOne(store, zone, found?.id ?? "");
}

function answer(outcome: Outcome, status: number): SimulatedAnswer {
  if (outcome.done) return { status };
  if (outcome.why === "missing") return failure(404, "Dns entry not found");
  return failure(outcome.why === "invalid" ? 406 : 409, outcome.message);
}

function failure(status: number, error: string): SimulatedAnswer {
  return { status, body: { error } };
}
