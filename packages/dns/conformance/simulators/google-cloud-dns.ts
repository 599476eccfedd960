import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { parseData } from "../../src/presentation.ts";
import { list, number, object, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets } from "./rrsets.ts";

const projectId = "example-project";
const apiToken = "ya29.example-token";
const accountEmail = "mooring@example-project.iam.gserviceaccount.com";
const itemsPerPage = 25;

function newKey(): string {
  const options = { modulusLength: 1_024 } as const;
  return generateKeyPairSync("rsa", options)
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
}

// Making keys takes long; the two serve all runs of the suite.
const apiKey = newKey();
const otherKey = newKey();

function keyFile(privateKey: string): string {
  return JSON.stringify({
    type: "service_account",
    project_id: projectId,
    private_key_id: "key-1",
    private_key: privateKey,
    client_email: accountEmail,
    token_uri: "https://oauth2.googleapis.com/token",
  });
}

export function startGoogleCloudDns(): Promise<Backend> {
  return startSimulator({
    credentials: { service_account_json: keyFile(apiKey) },
    wrongCredentials: { service_account_json: keyFile(otherKey) },
    missingZone: { id: "absent-example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "invalid", message),
  });
}

/**
 * With the token of a person's sign-in, who sees two projects; in one Cloud DNS is not switched on.
 */
export function startGoogleSignIn(): Promise<Backend> {
  return startSimulator({
    credentials: { access_token: apiToken },
    wrongCredentials: { access_token: "ya29.expired-token" },
    missingZone: { id: `${projectId}/absent-example`, name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "invalid", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.url.hostname === "oauth2.googleapis.com") return grant(request);
  if (request.headers.authorization !== `Bearer ${apiToken}`)
    return failure(401, "authError", "Invalid Credentials");
  if (request.url.hostname === "cloudresourcemanager.googleapis.com") return projects(request);
  const [, , , project, , label, kind] = request.segments;
  if (project !== projectId) return failure(403, "forbidden", "Forbidden");
  if (label === undefined) {
    return page(request, "managedZones", store.zones().map(presentZone));
  }
  const zone = store.zones().find(({ name }) => toLabel(name) === label);
  if (zone === undefined)
    return failure(404, "notFound", `The 'managedZone' ${label} was not found`);
  if (kind === "rrsets" && request.method === "GET")
    return page(request, "rrsets", presentSets(zone));
  if (kind === "changes" && request.method === "POST") return change(request, zone, store);
  return failure(405, "httpMethodNotAllowed", "no");
}

/** The statement must be signed by the account's key, for this server, for now. */
function grant(request: SimulatedRequest): SimulatedAnswer {
  const form = new URLSearchParams(request.body);
  const [header = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${header}.${claims}`),
    createPublicKey(apiKey),
    Buffer.from(signature, "base64url"),
  );
  const shape = object({ iss: text, aud: text, iat: number, exp: number });
  const said = shape(JSON.parse(Buffer.from(claims, "base64url").toString("utf8")), "");
  const isCurrent = Math.abs(said.iat - Date.now() / 1_000) < 60 && said.exp - said.iat <= 3_600;
  const isMeant = said.iss === accountEmail && said.aud === "https://oauth2.googleapis.com/token";
  if (!(isSigned && isCurrent && isMeant)) {
    return {
      status: 400,
      body: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
    };
  }
  return { status: 200, body: { access_token: apiToken, expires_in: 3_599, token_type: "Bearer" } };
}

/** One project to a page. */
function projects({ url }: SimulatedRequest): SimulatedAnswer {
  const isSearch = url.pathname === "/v3/projects:search";
  if (!isSearch) return failure(404, "notFound", "Not found");
  const active = (id: string) => [{ projectId: id, state: "ACTIVE" }];
  return url.searchParams.get("pageToken") === null
    ? { status: 200, body: { projects: active("closed-project"), nextPageToken: "2" } }
    : { status: 200, body: { projects: active(projectId) } };
}

function toLabel(name: string): string {
  return name.replaceAll(".", "-");
}

function isSigned(zone: string): boolean {
  return zone.startsWith("signed.");
}

function presentZone({ name }: StoredZone): unknown {
  const nameServers = ["ns-cloud-a1.googledomains.com."];
  // A zone that was never signed has no such field.
  const dnssec = isSigned(name) ? { dnssecConfig: { state: "on", kind: "dns#x" } } : {};
  return { name: toLabel(name), dnsName: `${name}.`, nameServers, visibility: "public", ...dnssec };
}

function presentSets(zone: StoredZone): readonly unknown[] {
  return groupSets(zone).map(({ name, type, ttl, values }) => ({
    name: `${name}.`,
    type,
    ttl,
    rrdatas: values,
  }));
}

function page(request: SimulatedRequest, key: string, items: readonly unknown[]): SimulatedAnswer {
  const from = Number(request.url.searchParams.get("pageToken") ?? 0);
  const next = from + itemsPerPage;
  const token = next < items.length ? { nextPageToken: String(next) } : {};
  return { status: 200, body: { [key]: items.slice(from, next), ...token } };
}

const wireSet = object({ name: text, type: text, ttl: number, rrdatas: list(text) });
const body = object({ additions: list(wireSet), deletions: list(wireSet) });

function change(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { additions, deletions } = body(JSON.parse(request.body), "");
  const sets = groupSets(zone);
  const ids: string[] = [];
  for (const { name, type, ttl, rrdatas } of deletions) {
    const found = sets.find((one) => `${one.name}.` === name && one.type === type);
    const isSame = JSON.stringify(found?.values.toSorted()) === JSON.stringify(rrdatas.toSorted());
    if (found === undefined || found.ttl !== ttl || !isSame) {
      return failure(412, "conditionNotMet", `Precondition not met for ${name}`);
    }
    ids.push(...found.records.map(({ id }) => id));
  }
  const inputs = additions.flatMap(({ name, type, ttl, rrdatas }) =>
    rrdatas.map((data) => parse(name, type, ttl, data)),
  );
  if (isSigned(zone.name) && inputs.some(({ type }) => type === "ALIAS")) {
    return failure(400, "invalid", "ALIAS is not compatible with DNSSEC");
  }
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status: 200, body: { id: "1", status: "pending" } };
  return problem.problem === "clash"
    ? failure(400, "cnameResourceRecordSetConflict", problem.message)
    : failure(409, "alreadyExists", problem.message);
}

function parse(name: string, type: string, ttl: number, data: string): RecordInput {
  const isTarget = ["CNAME", "ALIAS", "MX", "NS", "SRV"].includes(type);
  const parsed = parseData(type, data, null);
  if (!name.endsWith(".") || parsed === null) throw new SyntaxError(`bad ${name} ${data}`);
  if (isTarget && !data.endsWith(".")) throw new SyntaxError(`relative ${data}`);
  if (type === "TXT" && !data.startsWith('"')) throw new SyntaxError("TXT must be quoted");
  return { name: name.slice(0, -1), type, ttl, ...parsed };
}

function failure(code: number, reason: string, message: string): SimulatedAnswer {
  return {
    status: code,
    body: { error: { code, message, errors: [{ domain: "global", reason, message }] } },
  };
}
