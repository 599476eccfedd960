import { constants, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { parseData } from "../../src/presentation.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, zoneFileData } from "./rrsets.ts";

const folderId = "b1gm2f812hg4h5s5jsgn";
const accountId = "ajesjg85676uboegshq0";
const keyId = "aje77ttk8bl305renr7e";
const iamToken = "t1.simulated-token-0123456789";
const audience = "https://iam.api.cloud.yandex.net/iam/v1/tokens";
const itemsPerPage = 25;

function newKey(): string {
  const options = { modulusLength: 1_024 } as const;
  return generateKeyPairSync("rsa", options)
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
}

// Making keys takes long; the two serve all runs of the suite.
const accountKey = newKey();
const otherKey = newKey();

/** The file's private key begins with a line that is no part of it. */
function keyFile(privateKey: string): string {
  return JSON.stringify({
    id: keyId,
    service_account_id: accountId,
    created_at: "2026-11-18T00:00:00Z",
    key_algorithm: "RSA_2048",
    private_key: `PLEASE DO NOT REMOVE THIS LINE! Yandex.Cloud SA Key ID <${keyId}>\n${privateKey}`,
  });
}

export function startYandexCloud(): Promise<Backend> {
  const polled = new Set<string>();
  const credentials = { service_account_json: keyFile(accountKey), folder_id: folderId };
  return startSimulator({
    credentials,
    wrongCredentials: { ...credentials, service_account_json: keyFile(otherKey) },
    missingZone: { id: "dnsabsent", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, polled),
    malformed: (message) => failure(400, 3, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore, polled: Set<string>): SimulatedAnswer {
  const { url, method } = request;
  if (url.hostname === "iam.api.cloud.yandex.net") return grant(request);
  if (request.headers.authorization !== `Bearer ${iamToken}`) {
    return failure(401, 16, `The token is invalid: ${request.headers.authorization}`);
  }
  if (url.hostname === "operation.api.cloud.yandex.net") return poll(request, polled);
  const [, , , zonePart] = request.segments;
  if (zonePart === undefined) return listZones(request, store);
  const [id, action] = zonePart.split(":");
  const zone = store.zones().find((one) => zoneId(one) === id);
  if (zone === undefined) return failure(404, 5, `DnsZone not found: ${id}`);
  if (method === "GET" && action === "listRecordSets") return listSets(request, zone);
  if (method === "POST" && action === "updateRecordSets") return update(request, zone, store);
  return failure(404, 5, "no such method");
}

const statement = object({ iss: text, aud: text, iat: number, exp: number });
const header = object({ alg: text, kid: text });

/** The statement must be signed by the account's key with PSS, for this server, for now. */
function grant(request: SimulatedRequest): SimulatedAnswer {
  const { jwt } = object({ jwt: text })(JSON.parse(request.body), "");
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey(accountKey), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
    Buffer.from(signature, "base64url"),
  );
  const { alg, kid } = header(read(head), "");
  const said = statement(read(claims), "");
  const isCurrent = Math.abs(said.iat - Date.now() / 1_000) < 60 && said.exp - said.iat <= 3_600;
  const isMeant = said.iss === accountId && said.aud === audience && kid === keyId;
  if (!(isSigned && isCurrent && isMeant && alg === "PS256")) {
    return failure(401, 16, `JWT signature is invalid: ${jwt}`);
  }
  return { status: 200, body: { iamToken, expiresAt: "2026-11-18T12:00:00.123456789Z" } };
}

function zoneId({ id }: StoredZone): string {
  return `dns${id}`;
}

/** An internal zone of the same name stands beside each public one. */
function listZones({ url }: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (url.searchParams.get("folderId") !== folderId) return failure(403, 7, "Permission denied");
  const zones = store.zones().flatMap((zone) => [
    { id: `dnsinternal${zone.id}`, folderId, zone: `${zone.name}.`, privateVisibility: {} },
    { id: zoneId(zone), folderId, zone: `${zone.name}.`, publicVisibility: {} },
  ]);
  return page(url, "dnsZones", zones);
}

function listSets({ url }: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  return page(url, "recordSets", groupSets(zone).map(presentSet));
}

function presentSet({ name, type, ttl, records }: ReturnType<typeof groupSets>[number]) {
  const wireType = type === "ALIAS" ? "ANAME" : type;
  return { data: records.map(present), name: `${name}.`, type: wireType, ttl: String(ttl) };
}

/** Data as it was written: here bare where it can be, and targets without a closing dot. */
function present(record: StoredRecord): string {
  const data = zoneFileData(record);
  if (record.type !== "TXT") return data === "." ? data : data.replace(/\.$/, "");
  return /^[\w=.-]+$/.test(record.value) ? record.value : data;
}

/** A list without entries is an empty object. */
function page(url: URL, key: string, items: readonly unknown[]): SimulatedAnswer {
  const from = Number(url.searchParams.get("pageToken") ?? 0);
  const next = from + itemsPerPage;
  const token = next < items.length ? { nextPageToken: String(next) } : {};
  const shown = items.slice(from, next);
  return { status: 200, body: shown.length === 0 ? {} : { [key]: shown, ...token } };
}

const wireSet = object({ name: text, type: text, ttl: text, data: list(text) });
const body = object({
  deletions: optional(list(wireSet), []),
  additions: optional(list(wireSet), []),
});

/** All or nothing; a deletion must name a set as it is. A change of several sets takes a moment. */
function update(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { deletions, additions } = body(JSON.parse(request.body), "");
  const sets = groupSets(zone);
  const ids: string[] = [];
  for (const one of deletions) {
    const found = sets.find(
      (set) => JSON.stringify(sorted(presentSet(set))) === JSON.stringify(sorted(one)),
    );
    if (found === undefined) return failure(400, 9, `RecordSet does not match: ${one.name}`);
    ids.push(...found.records.map(({ id }) => id));
  }
  const inputs = additions.flatMap((set) => set.data.map((data) => readInput(set, data)));
  const problem = store.replace(zone, ids, inputs);
  if (problem !== null && !problem.ok) return failure(400, 9, problem.message);
  const done = additions.length + deletions.length < 2;
  return { status: 200, body: { id: `dnsop${store.writeCount()}`, ...(done ? { done } : {}) } };
}

function sorted({ name, type, ttl, data }: ReturnType<typeof wireSet>) {
  return [name, type, ttl, data.toSorted()];
}

/** Still running when first asked about. */
function poll({ segments, method }: SimulatedRequest, polled: Set<string>): SimulatedAnswer {
  const [operations, id = ""] = segments;
  if (method !== "GET" || operations !== "operations") return failure(404, 5, "no operation");
  const done = polled.has(id);
  polled.add(id);
  return { status: 200, body: { id, ...(done ? { done, response: {} } : {}) } };
}

function readInput(set: ReturnType<typeof wireSet>, data: string): RecordInput {
  const type = set.type === "ANAME" ? "ALIAS" : set.type;
  const parsed = parseData(type, data, null);
  if (!set.name.endsWith(".") || parsed === null) throw new SyntaxError(`${set.name} ${data}`);
  if (type === "TXT" && /[ ;]/.test(data) && !data.startsWith('"')) throw new SyntaxError(data);
  if (/[^\x20-\x7e]/.test(data)) throw new SyntaxError("only ASCII");
  return { name: set.name.slice(0, -1), type, ttl: Number(set.ttl), ...parsed };
}

function failure(status: number, code: number, message: string): SimulatedAnswer {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RequestInfo", requestId: "1" }];
  return { status, body: { code, message, details } };
}
