import { entryFor } from "../../foreign-text.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain, ProviderHttp } from "../adapter/http.ts";
import { child, escapeXml, findChildren, parseXml, type XmlElement } from "../adapter/xml.ts";

const apiUrl = "https://api.loopia.se/RPCSERV";
/** 60 calls a minute are answered; the answer does not say when the next one will be. */
const rateWindowSeconds = 60;

export type Value = string | number | Readonly<Record<string, string | number>>;
/** What an answer carries. Texts come without the spaces that the API puts around them. */
export type Answer = string | number | readonly Answer[] | { readonly [name: string]: Answer };

/** Calls a method as the user. Only a call that may be repeated is idempotent. */
export type Call = (
  method: string,
  params: readonly Value[],
  signal: AbortSignal,
  idempotent: boolean,
) => Promise<Answer>;

/** XML-RPC: a POST to one address; a failure is a fault, or a status in place of the data. */
export function xmlRpc(
  http: ProviderHttp,
  user: { readonly username: string; readonly password: string },
): Call {
  return async (method, params, signal, idempotent) => {
    const all = [user.username, user.password, ...params];
    const list = all.map((one) => `<param>${writeValue(one)}</param>`).join("");
    const body = `<?xml version="1.0" encoding="UTF-8"?><methodCall><methodName>${method}</methodName><params>${list}</params></methodCall>`;
    const headers = { accept: "text/xml", "content-type": "text/xml" };
    const request = { method: "POST", url: apiUrl, headers, body, idempotent } as const;
    return readAnswer((await http.send(request, signal, explain)).text);
  };
}

function writeValue(value: Value): string {
  if (typeof value === "string") return `<value><string>${escapeXml(value)}</string></value>`;
  if (typeof value === "number") return `<value><int>${value}</int></value>`;
  const members = Object.entries(value).map(
    ([name, one]) => `<member><name>${name}</name>${writeValue(one)}</member>`,
  );
  return `<value><struct>${members.join("")}</struct></value>`;
}

function readAnswer(text: string): Answer {
  const root = parseXml(text);
  const fault = child(root, "fault", "value");
  if (fault !== null) throw toFault(readValue(fault));
  const value = child(root, "params", "param", "value");
  if (value === null) throw new ProviderError("unavailable", "Loopia's answer is empty.");
  const answer = readValue(value);
  // Where a list is expected, a status is its only entry.
  const status = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  if (typeof status === "string" && Object.hasOwn(kindByStatus, status)) throw toError(status);
  return answer;
}

function readValue(element: XmlElement): Answer {
  const [typed] = element.children;
  if (typed === undefined) return element.text.trim();
  switch (typed.name) {
    case "int":
    case "i4":
      return Number(typed.text.trim());
    case "array":
      return findChildren(child(typed, "data"), "value").map(readValue);
    case "struct":
      return Object.fromEntries(
        findChildren(typed, "member").map((member) => {
          const value = child(member, "value");
          return [child(member, "name")?.text.trim() ?? "", value === null ? "" : readValue(value)];
        }),
      );
    default:
      return typed.text.trim();
  }
}

/** Last verified 2026-11. */
const kindByStatus: Readonly<Record<string, ProviderErrorKind>> = {
  AUTH_ERROR: "auth",
  RATE_LIMITED: "rate_limited",
  BAD_INDATA: "unsupported",
  DOMAIN_OCCUPIED: "conflict",
  INSUFFICIENT_FUNDS: "unsupported",
  UNKNOWN_ERROR: "unavailable",
};

function toError(status: string): ProviderError {
  const kind = entryFor(kindByStatus, status) ?? "unsupported";
  const retryAfterSeconds = kind === "rate_limited" ? rateWindowSeconds : null;
  return new ProviderError(kind, `Loopia answers ${status}.`, { retryAfterSeconds });
}

function toFault(fault: Answer): ProviderError {
  const { faultCode = 0, faultString = "" } =
    typeof fault === "object" && "faultCode" in fault ? fault : {};
  if (faultCode === 429) return toError("RATE_LIMITED");
  if (faultCode === 401 || faultCode === 403) return toError("AUTH_ERROR");
  return new ProviderError("unsupported", `Loopia refused: ${faultString} (fault ${faultCode}).`);
}

/** A value that it does not store is answered like an address that is not there. */
const explain: Explain = ({ status }) => (status === 404 ? { kind: "unsupported" } : null);
