import type { AdapterContext, Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import { anything, type Decoder, number, object, optional, text } from "../adapter/json.ts";
import { jsonApi } from "../adapter/json-api.ts";

const apiUrl = "https://ccp.netcup.net/run/webservice/servers";

type Params = Readonly<Record<string, unknown>>;

/** Calls an action inside a session. Only a call that may be repeated is idempotent. */
export type Ask = <T>(
  action: string,
  params: Params,
  decoder: Decoder<T>,
  idempotent?: boolean,
) => Promise<T>;

const envelope = object({
  status: text,
  statuscode: optional(number, 0),
  longmessage: optional(text, ""),
  responsedata: optional(anything, {}),
});
const loggedIn = object({ apisessionid: text });

/** The code of a failed action, for those that mean something else than a failure. */
export class ActionError extends ProviderError {
  readonly code: number;

  constructor(kind: ProviderErrorKind, message: string, code: number) {
    super(kind, message);
    this.code = code;
  }
}

/** Fresh sessions are refused with it now and then; the action has had no effect. */
const invalidSession = 4001;

/** Work inside a session of its own, which is ended afterwards. */
export function sessions(credentials: Credentials, { http }: Pick<AdapterContext, "http">) {
  const api = jsonApi(http, { baseUrl: apiUrl, headers: {}, explain: () => null });
  const login = {
    customernumber: credentials["customer_number"] ?? "",
    apikey: credentials["api_key"] ?? "",
  };
  const call = async (action: string, param: Params, idempotent: boolean, signal: AbortSignal) => {
    const request = { method: "POST", path: "/endpoint.php?JSON", idempotent } as const;
    const answer = await api.read({ ...request, body: { action, param } }, envelope, signal);
    if (answer.status === "success") return answer.responsedata;
    throw toError(action, answer.statuscode, answer.longmessage);
  };
  const attempt = async <T>(signal: AbortSignal, work: (ask: Ask) => Promise<T>): Promise<T> => {
    const apipassword = credentials["api_password"] ?? "";
    const answer = await call("login", { ...login, apipassword }, true, signal);
    const inside = { ...login, ...loggedIn(answer, "responsedata") };
    try {
      return await work(async (action, params, decoder, idempotent = true) =>
        decoder(await call(action, { ...params, ...inside }, idempotent, signal), "responsedata"),
      );
    } finally {
      await call("logout", inside, true, signal).catch(ignoreRefusal);
    }
  };
  return async <T>(signal: AbortSignal, work: (ask: Ask) => Promise<T>): Promise<T> => {
    try {
      return await attempt(signal, work);
    } catch (error) {
      if (!(error instanceof ActionError && error.code === invalidSession)) throw error;
      return attempt(signal, work);
    }
  };
}

/** A session that could not be ended expires; what was done in it is done. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ProviderError)) throw error;
}

/** Last verified 2026-11. Too many requests and wrong values share a code. */
function toError(action: string, code: number, said: string): ActionError {
  const kind = classify(action, code, said);
  // What is said of a login may repeat it.
  const detail = kind === "auth" || said === "" ? "." : `: ${said}`;
  return new ActionError(kind, `netcup refused ${action} (code ${code})${detail}`, code);
}

function classify(action: string, code: number, said: string): ProviderErrorKind {
  if (/requests per minute|too many error messages/i.test(said)) return "rate_limited";
  if (code === invalidSession) return "unavailable";
  if (action === "login") return code >= 5_000 ? "unavailable" : "auth";
  if (/(?:could not be|not) found/i.test(said)) return "not_found";
  return code >= 4_000 && code < 6_000 ? "unsupported" : "unavailable";
}
