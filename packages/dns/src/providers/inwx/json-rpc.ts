import type { AdapterContext, Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import {
  anything,
  type Decoder,
  number,
  object,
  optional,
  text,
  textOrNumber,
} from "../adapter/json.ts";
import { jsonApi } from "../adapter/json-api.ts";
import { sessionSource } from "../adapter/session.ts";
import { msUntilNext, oneTimePassword } from "./totp.ts";

const apiUrl = "https://api.domrobot.com/jsonrpc/";
/** Sessions last longer; a new one costs a request. */
const sessionSeconds = 600;

export type Params = Readonly<Record<string, unknown>>;

/** Calls a method inside a session. Only a call that may be repeated is idempotent. */
export type Ask = <T>(
  method: string,
  params: Params,
  decoder: Decoder<T>,
  signal: AbortSignal,
  idempotent?: boolean,
) => Promise<T>;

const envelope = object({
  code: number,
  msg: optional(text, ""),
  reason: optional(text, ""),
  resData: anything,
});
const loggedIn = object({ tfa: optional(textOrNumber, "0") });

/** Every call is a POST to one address; a failure is a code in the body, with status 200. */
export function jsonRpc(
  credentials: Credentials,
  { http, now, wait }: Pick<AdapterContext, "http" | "now" | "wait">,
): Ask {
  const api = jsonApi(http, { baseUrl: apiUrl, headers: {}, explain: () => null });
  const call = async (
    method: string,
    params: Params,
    cookie: string,
    signal: AbortSignal,
    idempotent = true,
  ) => {
    const headers: Record<string, string> = cookie === "" ? {} : { cookie };
    const request = { method: "POST", path: "", headers, body: { method, params } } as const;
    const answer = await api.page({ ...request, idempotent }, envelope, signal);
    const { code, msg, reason, resData } = answer.body;
    if (code < 1_000 || code >= 2_000) throw toError(code, reason === "" ? msg : reason);
    return { data: resData ?? {}, headers: answer.headers };
  };
  /**
   * A one-time password that another session has used is refused like a wrong one; the next is not.
   */
  const unlock = async (cookie: string, secret: string, signal: AbortSignal) => {
    const tryOnce = () =>
      call("account.unlock", { tan: oneTimePassword(secret, now()) }, cookie, signal);
    try {
      await tryOnce();
    } catch (error) {
      if (!(error instanceof ProviderError && error.kind === "auth")) throw error;
      await wait(msUntilNext(now()), signal);
      await tryOnce();
    }
  };
  const session = sessionSource(now, async (signal) => {
    const { username: user = "", password: pass = "", totp_secret: secret } = credentials;
    const { data, headers } = await call("account.login", { user, pass }, "", signal);
    const cookies = headers.getSetCookie().map((one) => one.split(";", 1)[0] ?? "");
    const value = cookies.join("; ");
    if (loggedIn(data, "resData").tfa !== "0") {
      if (secret === undefined) {
        throw new ProviderError("auth", "The two-factor login is on: its secret is needed.");
      }
      await unlock(value, secret, signal);
    }
    return { value, seconds: sessionSeconds };
  });
  return async (method, params, decoder, signal, idempotent) => {
    const { data } = await call(method, params, await session(signal), signal, idempotent);
    return decoder(data, "resData");
  };
}

/** Last verified 2026-11. The codes are those of EPP (RFC 5730 §3). */
const kindByCode: Readonly<Record<number, ProviderErrorKind>> = {
  2200: "auth",
  2201: "auth",
  2302: "conflict",
  2303: "not_found",
  2400: "unavailable",
  2500: "unavailable",
  2501: "auth",
  2502: "rate_limited",
};

function toError(code: number, said: string): ProviderError {
  const kind = kindByCode[code] ?? "unsupported";
  // An answer about the login may repeat it.
  const why = kind === "auth" ? "the login was refused" : said;
  return new ProviderError(kind, `INWX: ${why} (code ${code}).`);
}
