import { toAbsolute } from "../../src/name.ts";
import { escapeXml } from "../../src/providers/adapter/xml.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const apiKey = "namesilo-key-0123456789";
const domainsPerPage = 25;

export function startNamesilo(): Promise<Backend> {
  return startSimulator({
    credentials: { api_key: apiKey },
    wrongCredentials: { api_key: "namesilo-key-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(108, message),
  });
}

/** Every operation is a GET with the key in the address; every answer has status 200. */
function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const query = request.url.searchParams;
  if (request.method !== "GET") return failure(120, "API key must be passed as a GET");
  if (query.get("version") !== "1" || query.get("type") !== "xml") return failure(102, "version");
  if (query.get("key") !== apiKey) return failure(110, `Invalid API Key ${query.get("key")}`);
  const operation = request.segments[1];
  if (operation === "listDomains") return domains(Number(query.get("page") ?? 1), store);
  const zone = store.zone(query.get("domain") ?? "");
  if (zone === null) {
    return failure(200, "Domain is not active, or does not belong to this user");
  }
  const id = query.get("rrid") ?? "";
  switch (operation) {
    case "dnsListRecords":
      return success(zone.records.map(present).join(""));
    case "dnsAddRecord":
      return answer(createOne(store, zone, parse(query, query.get("rrtype") ?? "", zone)));
    case "dnsUpdateRecord": {
      // The type stays; the record gets another key.
      const type = zone.records.find((record) => record.id === id)?.type ?? "";
      return answer(updateOne(store, zone, id, parse(query, type, zone)));
    }
    case "dnsDeleteRecord":
      return answer(deleteOne(store, zone, id));
    default:
      return failure(107, "Invalid API operation");
  }
}

function domains(page: number, store: ZoneStore): SimulatedAnswer {
  const all = store.zones();
  const { items } = slicePage(all, page, domainsPerPage);
  const names = items.map(({ name }) => `<domain created="2020-01-01">${name}</domain>`).join("");
  const pager = `<total>${all.length}</total><pageSize>${domainsPerPage}</pageSize><page>${page}</page>`;
  return success(`<domains>${names}</domains><pager>${pager}</pager>`);
}

/** The host is the full name, though it is written relative. */
function present({ id, type, name, value, ttl, priority }: StoredRecord): string {
  const fields = { record_id: id, type, host: name, value, ttl, distance: priority ?? 0 };
  const inner = Object.entries(fields).map(
    ([key, one]) => `<${key}>${escapeXml(String(one))}</${key}>`,
  );
  return `<resource_record>${inner.join("")}</resource_record>`;
}

const writableTypes = /^(?:A|AAAA|CNAME|MX|TXT)$/;

function parse(query: URLSearchParams, type: string, zone: StoredZone): RecordInput {
  const [host, value, ttl] = ["rrhost", "rrvalue", "rrttl"].map((key) => query.get(key));
  if (host == null || value == null || ttl == null) throw new SyntaxError("Missing parameters");
  if (type !== "" && !writableTypes.test(type)) throw new SyntaxError(`rrtype ${type}`);
  // A full name would be taken for a relative one, and the domain's be added again.
  const name = toAbsolute(host === "" ? "@" : host, zone.name);
  if (Number(ttl) < 3_600 || Number(ttl) > 2_592_000) throw new SyntaxError("rrttl");
  const priority = type === "MX" ? Number(query.get("rrdistance") ?? 10) : null;
  return { name, type, value, ttl: Number(ttl), priority };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return success(`<record_id>${outcome.record.id}</record_id>`);
  const why = outcome.why === "duplicate" ? "the record already exists" : outcome.message;
  return failure(280, `DNS modification error: ${why}`);
}

function success(inner: string): SimulatedAnswer {
  return reply(`<code>300</code><detail>success</detail>${inner}`);
}

function failure(code: number, detail: string): SimulatedAnswer {
  return reply(`<code>${code}</code><detail>${escapeXml(detail)}</detail>`);
}

function reply(inner: string): SimulatedAnswer {
  const request = "<request><operation>x</operation><ip>192.0.2.1</ip></request>";
  return { status: 200, body: `<namesilo>${request}<reply>${inner}</reply></namesilo>` };
}
