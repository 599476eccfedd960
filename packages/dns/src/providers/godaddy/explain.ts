import { isObject } from "../../decode.ts";
import { type Explain, jsonOrNull } from "../../http.ts";

const NOT_ELIGIBLE =
  "the token lacks a scope, or GoDaddy does not open its DNS interface to this account";

/** Both versions say what is wrong in `message`; a refusal of a valid token is mostly about the account. */
export const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const message = isObject(body) ? String(body["message"] ?? "") : "";
  if (answer.status === 403) return { kind: "auth", message: `${message} (${NOT_ELIGIBLE})` };
  const isDuplicate = JSON.stringify(body).includes("DUPLICATE_RECORD");
  return isDuplicate ? { kind: "conflict", message } : { message };
};

/** SRV owners are given in three fields. */
export function splitServiceName(relative: string): {
  readonly service: string;
  readonly protocol: string;
  readonly name: string;
} {
  const [service = "", protocol = "", ...rest] = relative.split(".");
  return { service, protocol, name: rest.length === 0 ? "@" : rest.join(".") };
}

export function joinServiceName(service: string, protocol: string, name: string): string {
  return [service, protocol, ...(name === "@" || name === "" ? [] : [name])].join(".");
}
