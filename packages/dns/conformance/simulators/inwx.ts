import { toAbsolute, toUnicode } from "../../src/name.ts";
import { plainTxt, quoteLongTxt } from "../../src/presentation.ts";
import { isObject, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import { oneTimePassword } from "../../src/providers/inwx/totp.ts";
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

const totpSecret = "GEZDGNBVGY3TQOJQ";
const testKeys = { username: "shop", password: "inwx-password-1", totp_secret: totpSecret };
const cookie = "domrobot=0a1b2c3d4e5f";

export function startInwx(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, password: "inwx-revoked-99" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store),
    malformed: (message) => failure(2005, message),
  });
}

type Params = Readonly<Record<string, unknown>>;

/** The session is unlocked by the second factor; which call was it shows in the cookie. */
function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const given: unknown = JSON.parse(request.body);
  if (!isObject(given) || !isObject(given["params"])) return failure(2003, "params");
  const { method, params } = given;
  if (method === "account.login") return login(params as Params);
  // A client may send back what else came with the cookie.
  const cookies = String(request.headers.cookie).split("; ");
  if (!cookies.includes(cookie)) return failure(2200, "Authentication error");
  if (method === "account.unlock") {
    return unlock((params as Params)["tan"]);
  }
  return act(String(method), params as Params, store);
}

/** The password of the half minute before is accepted, too. */
function unlock(tan: unknown): SimulatedAnswer {
  const accepted = [0, 30_000].map((ago) =>
    oneTimePassword(totpSecret, new Date(Date.now() - ago)),
  );
  return accepted.some((one) => one === tan) ? success({}) : failure(2200, String(tan));
}

function login({ user, pass }: Params): SimulatedAnswer {
  if (user !== testKeys.username || pass !== testKeys.password) {
    return failure(2200, `Authentication error for ${user} with ${pass}`);
  }
  const answer = success({ customerId: 1, tfa: "GOOGLE-AUTH" });
  return { ...answer, headers: { "set-cookie": `${cookie}; path=/; secure` } };
}

function act(method: string, params: Params, store: ZoneStore): SimulatedAnswer {
  if (method === "nameserver.list") {
    const [page, size] = [Number(params["page"]), Number(params["pagelimit"])];
    const domains = slicePage(store.zones(), page, size).items.map(({ name }) => ({
      roId: 1,
      domain: toUnicode(name),
      type: "MASTER",
    }));
    return success({ count: store.zones().length, domains });
  }
  const id = String(params["id"] ?? "");
  const zone = store
    .zones()
    .find((one) => one.name === params["domain"] || one.records.some((record) => record.id === id));
  if (zone === undefined) return failure(2303, "Object does not exist");
  switch (method) {
    case "nameserver.info":
      return success({ domain: zone.name, type: "MASTER", record: zone.records.map(present) });
    case "nameserver.createRecord":
      return answer(createOne(store, zone, parse(params, zone)));
    case "nameserver.updateRecord":
      return change(params, id, zone, store);
    case "nameserver.deleteRecord":
      return answer(deleteOne(store, zone, id));
    default:
      return failure(2000, "Unknown command");
  }
}

/** A change of the priority to 0 has no effect. */
function change(params: Params, id: string, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const before = zone.records.find((record) => record.id === id)?.priority ?? null;
  const input = parse(params, zone);
  const priority = input.priority === 0 ? before : (input.priority ?? null);
  return answer(updateOne(store, zone, id, { ...input, priority }));
}

/** Names in full, targets without a closing dot, long texts in parts. */
function present({ id, name, type, value, ttl, priority }: StoredRecord): unknown {
  const content = type === "TXT" ? quoteLongTxt(value) : value;
  return { id, name, type, content, ttl, prio: priority ?? 0 };
}

const wire = object({
  name: text,
  type: text,
  content: text,
  ttl: number,
  prio: optional(number, null),
});

function parse(params: Params, { name: zone }: StoredZone): RecordInput {
  const given = wire(params, "params");
  if (given.name === "" || given.name.endsWith(zone)) throw new SyntaxError("name");
  if (given.ttl < 300) throw new SyntaxError("ttl");
  const { type, ttl, content } = given;
  const isRoot = content === "." || content.endsWith(" .");
  if (type !== "TXT" && content.endsWith(".") && !isRoot)
    throw new SyntaxError("content ends with a dot");
  const isBare = type !== "TXT" || !content.startsWith('"');
  if (type === "TXT" && isBare && content.length > 255) throw new SyntaxError("content too long");
  const value = isBare ? content : (plainTxt(content) ?? "");
  return { name: toAbsolute(given.name, zone), type, ttl, value, priority: given.prio };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return success({ id: outcome.record.id });
  const codes = { missing: 2303, duplicate: 2302, clash: 2308, invalid: 2005 };
  return failure(codes[outcome.why], outcome.message);
}

function success(resData: unknown): SimulatedAnswer {
  return { status: 200, body: { code: 1000, msg: "Command completed successfully", resData } };
}

function failure(code: number, reason: string): SimulatedAnswer {
  return { status: 200, body: { code, msg: "Command failed", reasonCode: "X", reason } };
}
