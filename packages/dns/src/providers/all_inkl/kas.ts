import { entryFor } from "../../foreign-text.ts";
import type { AdapterContext, Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain, Explanation } from "../adapter/http.ts";
import { anything, object, optional, text } from "../adapter/json.ts";
import { sessionSource } from "../adapter/session.ts";
import { parseXml } from "../adapter/xml.ts";
import { type Fault, findFault, readFault, readReturn, writeEnvelope } from "./soap.ts";

const apiUrl = "https://kasapi.kasserver.com/soap";
const sessionSeconds = 600;
/** Longer pauses than this are not believed. */
const maxFloodSeconds = 60;

type Params = Readonly<Record<string, unknown>>;

/** Calls an action and gives its `ReturnInfo`. Only one that may be repeated is idempotent. */
type Ask = (
  action: string,
  params: Params,
  signal: AbortSignal,
  idempotent?: boolean,
) => Promise<unknown>;

const returned = object({
  Response: object({
    KasFloodDelay: optional(text, "0"),
    ReturnInfo: optional(anything, null),
  }),
});

/** Every answer names the pause before the next call, which is refused when it comes too early. */
export function createKas(credentials: Credentials, context: AdapterContext): Ask {
  const { http, now, wait } = context;
  const login = credentials["login"] ?? "";
  let readyAt = 0;
  const send = async (
    [operation, namespace, explain]: Endpoint,
    params: Params,
    idempotent: boolean,
    signal: AbortSignal,
  ) => {
    const early = readyAt - now().getTime();
    if (early > 0) await wait(early, signal);
    const headers = {
      accept: "text/xml",
      "content-type": "text/xml; charset=utf-8",
      soapaction: `${namespace}#${operation}`,
    };
    const request = { method: "POST", url: `${apiUrl}/${operation}.php`, headers } as const;
    const body = writeEnvelope(operation, namespace, params);
    const answer = await http.send({ ...request, body, idempotent }, signal, explain);
    // A fault has status 500, and at times 200.
    const root = parseXml(answer.text);
    const fault = findFault(root);
    if (fault !== null) throw toError(fault, explainFault(fault, operation === "KasAuth"));
    return readReturn(root);
  };
  const openSession = () =>
    sessionSource(now, async (signal) => {
      const params = {
        kas_login: login,
        kas_auth_type: "plain",
        kas_auth_data: credentials["password"] ?? "",
        session_lifetime: sessionSeconds,
        session_update_lifetime: "Y",
      };
      const token = await send(authEndpoint, params, true, signal);
      return { value: text(token, "return"), seconds: sessionSeconds };
    });
  let session = openSession();
  return async (action, params, signal, idempotent = true) => {
    const all = {
      kas_login: login,
      kas_auth_type: "session",
      kas_auth_data: await session(signal),
      kas_action: action,
      KasRequestParams: params,
    };
    const sent = await send(apiEndpoint, all, idempotent, signal).catch((error: unknown) => {
      // The session may be at an end: the next call begins another.
      session = openSession();
      throw error;
    });
    const answer = returned(sent, "return");
    const { KasFloodDelay: delay, ReturnInfo: info } = answer.Response;
    readyAt = now().getTime() + Math.min(Number(delay) || 0, maxFloodSeconds) * 1_000;
    return info;
  };
}

type Endpoint = readonly [operation: string, namespace: string, explain: Explain];

const authEndpoint: Endpoint = [
  "KasAuth",
  "urn:xmethodsKasApiAuthentication",
  (answer) => explainAnswer(answer.text, true),
];
const apiEndpoint: Endpoint = [
  "KasApi",
  "urn:xmethodsKasApi",
  (answer) => explainAnswer(answer.text, false),
];

function explainAnswer(source: string, isLogin: boolean): Explanation | null {
  const fault = readFault(source);
  return fault === null ? null : explainFault(fault, isLogin);
}

/** Last verified 2026-11. */
const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  zone_not_found: "not_found",
  zone_syntax_incorrect: "not_found",
  record_id_not_found: "not_found",
  record_already_exists: "conflict",
  no_auth: "auth",
};

function explainFault({ code, detail }: Fault, isLogin: boolean): Explanation {
  if (code === "flood_protection") {
    const seconds = Math.ceil(Number(detail) || 0);
    return { kind: "rate_limited", message: code, retryAfterSeconds: seconds };
  }
  // What is said of a login may repeat it.
  if (isLogin) return { kind: "auth", message: code };
  if (/session/.test(code)) return { kind: "unavailable", message: code };
  const kind = entryFor(kindByCode, code);
  return { kind: kind ?? "unsupported", message: `${code} ${detail}`.trim() };
}

function toError({ code }: Fault, { kind, retryAfterSeconds }: Explanation): ProviderError {
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new ProviderError(kind ?? "unsupported", `ALL-INKL.COM answered ${code}.`, options);
}
