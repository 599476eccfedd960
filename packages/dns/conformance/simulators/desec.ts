import { toAbsolute, toRelative } from "../../src/name.ts";
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

const apiToken = "desec-token-0123456789";
const itemsPerPage = 25;

export function startDesec(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "desec-token-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => ({ status: 400, body: { non_field_errors: [message] } }),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Token ${apiToken}`)
    return { status: 401, body: { detail: `Invalid token. ${input}` } };
  if (!request.url.pathname.endsWith("/")) return { status: 404, body: { detail: "Not found." } };
  const [, , resource, name, kind] = request.segments;
  if (resource !== "domains") return { status: 404, body: { detail: "Not found." } };
  if (name === "" || name === undefined)
    return page(
      request,
      store.zones().map(({ name }) => ({ name, minimum_ttl: leastTtl(name) })),
    );
  const zone = store.zone(name);
  if (zone === null || kind !== "rrsets") return { status: 404, body: { detail: "Not found." } };
  if (request.method === "GET") return page(request, presentSets(zone));
  // Both take complete sets; others than those in the body stay.
  const isBulk = request.method === "PUT" || request.method === "PATCH";
  return isBulk ? patch(request, zone, store) : { status: 405, body: {} };
}

/** 3600, unless the support has changed it for the domain. */
function leastTtl(zone: string): number {
  return Number(/^ttl(\d+)\./.exec(zone)?.[1] ?? 3_600);
}

function presentSets(zone: StoredZone): readonly unknown[] {
  return groupSets(zone).map(({ name, type, ttl, values }) => {
    const relative = toRelative(name, zone.name);
    return { subname: relative === "@" ? "" : relative, type, ttl, records: values };
  });
}

function page(request: SimulatedRequest, items: readonly unknown[]): SimulatedAnswer {
  const cursor = request.url.searchParams.get("cursor");
  if (cursor === null && items.length > itemsPerPage) {
    return { status: 400, body: { detail: "Pagination required." } };
  }
  const from = Number(cursor || 0);
  const next = from + itemsPerPage;
  const at = (to: number) => `<https://desec.io${request.url.pathname}?cursor=${to}>`;
  const links = [
    `${at(0)}; rel="first"`,
    ...(next < items.length ? [`${at(next)}; rel="next"`] : []),
  ];
  return { status: 200, headers: { link: links.join(", ") }, body: items.slice(from, next) };
}

const body = list(object({ subname: text, type: text, ttl: number, records: list(text) }));

function patch(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const sets = body(JSON.parse(request.body), "");
  const least = leastTtl(zone.name);
  const bad = sets.find(({ ttl, subname }) => ttl < least || ttl > 86_400 || subname === "@");
  if (bad !== undefined) return { status: 400, body: [{ ttl: ["out of range"] }] };
  const names = sets.map(({ subname, type }) => `${toAbsolute(subname, zone.name)} ${type}`);
  const ids = zone.records
    .filter(({ name, type }) => names.includes(`${name} ${type}`))
    .map(({ id }) => id);
  const inputs = sets.flatMap(({ subname, type, ttl, records }) =>
    records.map((value): RecordInput => {
      const isTarget = ["CNAME", "MX", "NS", "SRV"].includes(type);
      const data = parseData(type, value, null);
      if (data === null || (isTarget && !value.endsWith(".")))
        throw new SyntaxError(`bad ${value}`);
      return { name: toAbsolute(subname, zone.name), type, ttl, ...data };
    }),
  );
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status: 200, body: [] };
  return { status: 400, body: [{ non_field_errors: [problem.message] }] };
}
