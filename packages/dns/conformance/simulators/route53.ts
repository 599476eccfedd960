import { parseData } from "../../src/presentation.ts";
import { encode } from "../../src/providers/adapter/sigv4.ts";
import {
  child,
  escapeXml,
  findChildren,
  parseXml,
  textAt,
  type XmlElement,
} from "../../src/providers/adapter/xml.ts";
import type { RecordInput } from "../../src/record.ts";
import { isSignedByAws } from "../aws-signature.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const testKeys = { access_key_id: "AKIDEXAMPLE", secret_access_key: "example-secret-key" };
const maxZones = 25;
const maxSets = 40;

export function startRoute53(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, secret_access_key: "another-secret-key" },
    missingZone: { id: "Z000", name: "absent.example", nameservers: [] },
    handle,
    throttled: () => failure(400, "Throttling", "Rate exceeded"),
    malformed: (message) => failure(400, "InvalidInput", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (!isSignedByAws(request, { ...testKeys, scope: "us-east-1/route53" })) {
    return failure(
      403,
      "SignatureDoesNotMatch",
      "The request signature we calculated does not match",
    );
  }
  const [version, resource, id, kind] = request.segments;
  if (version !== "2013-04-01" || resource !== "hostedzone") return failure(404, "NotFound", "no");
  if (id === undefined) return listZones(request, store);
  const zone = store.zone(id);
  if (zone === null) return failure(404, "NoSuchHostedZone", `No hosted zone found with ID: ${id}`);
  if (kind === undefined) return getZone(zone);
  return request.method === "GET" ? listSets(request, zone) : change(request, zone, store);
}

function listZones(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const all = store.zones();
  const marker = request.url.searchParams.get("marker");
  const from = marker === null ? 0 : all.findIndex(({ id }) => id === marker);
  const next = all[from + maxZones];
  const shown = all
    .slice(from, from + maxZones)
    .map(
      ({ id, name }) =>
        `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}.</Name><Config><PrivateZone>false</PrivateZone></Config></HostedZone>`,
    );
  const marked = next === undefined ? "" : `<NextMarker>${next.id}</NextMarker>`;
  return xml(
    `<ListHostedZonesResponse><HostedZones>${shown.join("")}</HostedZones><IsTruncated>${next !== undefined}</IsTruncated>${marked}</ListHostedZonesResponse>`,
  );
}

function getZone({ id, name }: StoredZone): SimulatedAnswer {
  return xml(
    `<GetHostedZoneResponse><HostedZone><Id>/hostedzone/${id}</Id><Name>${name}.</Name></HostedZone><DelegationSet><NameServers><NameServer>ns-1.awsdns-${id.slice(-2)}.com</NameServer></NameServers></DelegationSet></GetHostedZoneResponse>`,
  );
}

function listSets(request: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  const all = groupSets(zone);
  const { searchParams } = request.url;
  const [name, type] = [searchParams.get("name"), searchParams.get("type")];
  const start = all.findIndex((set) => wireName(set.name) === name && set.type === type);
  const from = name === null ? 0 : start;
  const size = Math.min(maxSets, Number(searchParams.get("maxitems") ?? 300));
  const next = all[from + size];
  const marked =
    next === undefined
      ? ""
      : `<NextRecordName>${wireName(next.name)}</NextRecordName><NextRecordType>${next.type}</NextRecordType>`;
  return xml(
    `<ListResourceRecordSetsResponse><ResourceRecordSets>${all
      .slice(from, from + size)
      .map(presentSet)
      .join(
        "",
      )}</ResourceRecordSets><IsTruncated>${next !== undefined}</IsTruncated>${marked}</ListResourceRecordSetsResponse>`,
  );
}

function wireName(name: string): string {
  return `${name.replace("*", "\\052")}.`;
}

function aliasXml(target: string): string {
  return `<AliasTarget><HostedZoneId>Z2FDTNDATAQYW2</HostedZoneId><DNSName>${target}</DNSName><EvaluateTargetHealth>false</EvaluateTargetHealth></AliasTarget>`;
}

function presentSet({ name, type, ttl, values, records }: StoredSet): string {
  const alias = records[0]?.extras["alias"];
  const head = `<Name>${wireName(name)}</Name><Type>${type}</Type>`;
  if (alias !== undefined) {
    return `<ResourceRecordSet>${head}${aliasXml(String(alias))}</ResourceRecordSet>`;
  }
  const rows = values.map(
    (value) =>
      `<ResourceRecord><Value>${escapeXml(escapes(value, 10, 8))}</Value></ResourceRecord>`,
  );
  return `<ResourceRecordSet>${head}<TTL>${ttl}</TTL><ResourceRecords>${rows.join("")}</ResourceRecords></ResourceRecordSet>`;
}

function change(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const changes = findChildren(child(parseXml(request.body), "ChangeBatch", "Changes"), "Change");
  const removed: string[] = [];
  const added: RecordInput[] = [];
  const aliases: { name: string; type: string; alias: string }[] = [];
  for (const one of changes) {
    const requested = readSet(one, zone);
    const current = groupSets(zone).find(
      ({ name, type }) => name === requested.name && type === requested.type,
    );
    const refusal = findRefusal(textAt(one, "Action"), current, requested);
    if (refusal !== null) return failure(400, "InvalidChangeBatch", refusal);
    removed.push(...(current?.records.map(({ id }) => id) ?? []));
    if (textAt(one, "Action") === "DELETE") continue;
    if (requested.alias === null) added.push(...requested.inputs);
    else aliases.push({ name: requested.name, type: requested.type, alias: requested.alias });
  }
  const problem = store.replace(zone, removed, added);
  if (problem !== null && !problem.ok) return failure(400, "InvalidChangeBatch", problem.message);
  for (const { name, type, alias } of aliases) {
    const row = { name, type, value: "192.0.2.1", ttl: 60, priority: null };
    store.plant(zone.name, { ...row, extras: { alias } });
  }
  return xml(
    "<ChangeResourceRecordSetsResponse><ChangeInfo><Id>/change/C1</Id><Status>PENDING</Status></ChangeInfo></ChangeResourceRecordSetsResponse>",
  );
}

function findRefusal(
  action: string,
  current: StoredSet | undefined,
  requested: WantedSet,
): string | null {
  if (action === "DELETE" && !isSameAs(current, requested)) {
    return "the values provided do not match the current values";
  }
  return action === "CREATE" && current !== undefined ? "but it already exists" : null;
}

interface WantedSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly values: readonly string[];
  readonly inputs: readonly RecordInput[];
  readonly alias: string | null;
}

function readSet(one: XmlElement, zone: StoredZone): WantedSet {
  const set = child(one, "ResourceRecordSet") ?? one;
  const name = textAt(set, "Name").replace(/\.$/, "");
  const type = textAt(set, "Type");
  const alias = child(set, "AliasTarget", "DNSName")?.text ?? null;
  const ttl = alias === null ? Number(textAt(set, "TTL")) : 0;
  if (type === "CNAME" && name === zone.name) throw new SyntaxError("CNAME at the apex");
  const values = findChildren(child(set, "ResourceRecords"), "ResourceRecord").map((row) =>
    textAt(row, "Value"),
  );
  const inputs = values.map((value) => {
    if (type === "TXT" && !value.startsWith('"')) throw new SyntaxError("InvalidCharacterString");
    const data = parseData(type, escapes(value, 8, 10), null);
    if (data === null) throw new SyntaxError(`unreadable ${value}`);
    return { name, type, ttl, ...data };
  });
  return { name, type, ttl, values, inputs, alias };
}

function isSameAs(current: StoredSet | undefined, requested: WantedSet): boolean {
  const alias = current?.records[0]?.extras["alias"];
  return alias === undefined ? isSame(current, requested) : alias === requested.alias;
}

function isSame(current: StoredSet | undefined, requested: WantedSet): boolean {
  if (current === undefined || current.ttl !== requested.ttl) return false;
  const stored = current.values.map((value) => escapes(value, 10, 8)).toSorted();
  return JSON.stringify(stored) === JSON.stringify(requested.values.toSorted());
}

/** Bytes are written as octal numbers here, as decimal ones in zone files. */
function escapes(data: string, from: number, to: number): string {
  return data.replaceAll(/\\(\d{3}|.)/gs, (whole, code: string) =>
    code.length === 3 ? `\\${Number.parseInt(code, from).toString(to).padStart(3, "0")}` : whole,
  );
}

function xml(body: string): SimulatedAnswer {
  return { status: 200, body: `<?xml version="1.0"?>\n${body}` };
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
  return {
    status,
    body: `<ErrorResponse>${error}<RequestId>${encode("r 1")}</RequestId></ErrorResponse>`,
  };
}
