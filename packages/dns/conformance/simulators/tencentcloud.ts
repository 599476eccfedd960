import { toAbsolute, toRelative } from "../../src/name.ts";
import { absoluteTarget, parseData, plainTxt, quoteLongTxt } from "../../src/presentation.ts";
import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
import { signTc3 } from "../../src/providers/tencentcloud/tc3.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = { secret_id: "AKID0123456789", secret_key: "tencent-secret-0123456789" };

export function startTencentcloud(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, secret_key: "tencent-secret-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    throttled: () =>
      failure("RequestLimitExceeded", "Your current request times exceed the limit."),
    malformed: (message) => failure("InvalidParameter", message),
  });
}

/** Every answer has status 200. */
function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const { headers, body } = request;
  const at = new Date(Number(headers["x-tc-timestamp"]) * 1_000);
  const keys = { id: testKeys.secret_id, secret: testKeys.secret_key };
  const expected = signTc3({ host: request.url.host, body }, keys, at)["authorization"];
  if (headers.authorization !== expected || headers["x-tc-version"] !== "2021-03-23") {
    return failure(
      "AuthFailure.SignatureFailure",
      `The signature ${headers.authorization} is wrong`,
    );
  }
  const params = common(JSON.parse(body), "");
  const action = headers["x-tc-action"];
  if (action === "DescribeDomainList") {
    const { items, total } = slice(store.zones(), params);
    const DomainList = items.map(({ name }, at) => ({ DomainId: at, Name: name, Punycode: name }));
    return success({ DomainCountInfo: { AllTotal: total }, DomainList });
  }
  const zone = store.zone(params.Domain);
  if (zone === null) return failure("InvalidParameterValue.DomainNotExists", "No such domain");
  return act(String(action), params, zone, request, store);
}

const common = object({
  Domain: optional(text, ""),
  RecordId: optional(number, 0),
  Offset: optional(number, 0),
  Limit: optional(number, 20),
});

function act(
  action: string,
  params: ReturnType<typeof common>,
  zone: StoredZone,
  request: SimulatedRequest,
  store: ZoneStore,
): SimulatedAnswer {
  const id = String(params.RecordId);
  switch (action) {
    case "DescribeDomain":
      return success({ DomainInfo: { DnspodNsList: ["ada.dnspod.net", "bob.dnspod.net"] } });
    case "DescribeRecordList": {
      const { items, total } = slice(zone.records, params);
      if (total === 0) return failure("ResourceNotFound.NoDataOfRecord", "No records");
      const RecordList = items.map((record) => present(record, zone.name));
      return success({ RecordCountInfo: { TotalCount: total }, RecordList });
    }
    case "CreateRecord":
      return answer(createOne(store, zone, parse(request, zone)));
    case "ModifyRecord":
      return modify(request, zone, id, store);
    case "DeleteRecord":
      return answer(deleteOne(store, zone, id));
    default:
      return failure("InvalidAction", action);
  }
}

/** A weight that is not sent is switched off. */
function modify(
  request: SimulatedRequest,
  zone: StoredZone,
  id: string,
  store: ZoneStore,
): SimulatedAnswer {
  const outcome = updateOne(store, zone, id, parse(request, zone));
  const { Weight = null } = wire(JSON.parse(request.body), "");
  if (outcome.done && Weight !== null) {
    const { id: changed } = outcome.record;
    zone.records = zone.records.map((one) =>
      one.id === changed ? { ...one, extras: { Weight } } : one,
    );
  }
  return answer(outcome);
}

function slice<T>(items: readonly T[], { Offset, Limit }: ReturnType<typeof common>) {
  if (Limit > 3_000) throw new SyntaxError("Limit");
  return { items: items.slice(Offset, Offset + Limit), total: items.length };
}

/** Targets end with a dot; a mail exchanger's priority is apart, a service's is not. */
function present(record: StoredRecord, zone: string): unknown {
  const { id, name, value, ttl, priority, extras } = record;
  // A name that follows another is a CNAME, at the apex too.
  const type = record.type === "ALIAS" ? "CNAME" : record.type;
  const values: Readonly<Record<string, string>> = {
    TXT: quoteLongTxt(value),
    SRV: `${priority} ${absoluteTarget(value)}`,
    MX: absoluteTarget(value),
    CNAME: absoluteTarget(value),
    NS: absoluteTarget(value),
  };
  const shown = { RecordId: Number(id), Name: toRelative(name, zone), Type: type, TTL: ttl };
  const usual = { Line: "默认", LineId: "0", Status: "ENABLE", Weight: null };
  const rest = { ...usual, MX: type === "MX" ? priority : 0 };
  return { ...shown, ...rest, Value: values[type] ?? value, ...extras };
}

const wire = object({
  SubDomain: text,
  RecordType: text,
  RecordLine: text,
  Value: text,
  TTL: number,
  MX: optional(number, null),
  Weight: optional(number, null),
});

/** There is no ALIAS. */
const types: readonly string[] = ["A", "AAAA", "CNAME", "TXT", "MX", "NS", "SRV", "CAA"];

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const input = wire(JSON.parse(request.body), "");
  const { SubDomain, RecordType: type, Value, TTL: ttl, MX } = input;
  if (SubDomain === "" || SubDomain.endsWith(`.${zone}`)) throw new SyntaxError("SubDomain");
  if (!types.includes(type)) throw new SyntaxError("RecordType");
  if (input.RecordLine !== "默认") throw new SyntaxError("RecordLine");
  if (ttl < 600 || ttl > 604_800) throw new SyntaxError("TTL");
  const base = { name: toAbsolute(SubDomain, zone), type, ttl };
  if (type === "TXT") {
    const isBare = !Value.startsWith('"');
    if (isBare && Value.length > 255) throw new SyntaxError("Value");
    return { ...base, value: plainTxt(Value) ?? "" };
  }
  const data = parseData(type, type === "MX" ? `${MX} ${Value}` : Value, null);
  if (data === null) throw new SyntaxError("Value");
  return { ...base, ...data };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return success({ RecordId: Number(outcome.record.id) });
  const codes = {
    missing: "InvalidParameter.RecordIdInvalid",
    duplicate: "InvalidParameter.DomainRecordExist",
    clash: "InvalidParameter.SubdomainConflict",
    invalid: "InvalidParameter.RecordValueInvalid",
  };
  return failure(codes[outcome.why], outcome.message);
}

function success(inner: object): SimulatedAnswer {
  return { status: 200, body: { Response: { ...inner, RequestId: "0" } } };
}

function failure(Code: string, Message: string): SimulatedAnswer {
  return { status: 200, body: { Response: { Error: { Code, Message }, RequestId: "0" } } };
}
