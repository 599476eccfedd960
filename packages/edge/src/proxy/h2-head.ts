import { type Fields, fieldValue, isVisitorField } from "./fields.ts";
import { assemble, type Rejection, type RequestHead } from "./request-head.ts";

/** Visible ASCII without `#`; other bytes are not let through by HTTP/2 clients in the first place. */
const pathPattern = /^(?:\/[\x21\x22\x24-\x7e\x80-\xff]*|\*)$/;

/** A request head from the fields of an HTTP/2 stream (RFC 9113 §8.3), by the rules of HTTP/1.1. */
export function headFromStream(
  raw: Fields,
  isWhole: boolean,
  maxFields: number,
): RequestHead | Rejection {
  const split = splitPseudo(raw);
  if (split === null) return { status: 400, reason: "field" };
  const { pseudo, fields } = split;
  if (fields.length / 2 > maxFields) return { status: 400, reason: "too many fields" };
  const target = pseudo.get(":path") ?? "";
  const method = pseudo.get(":method") ?? "";
  if (method !== "CONNECT" && !isTarget(method, target)) return { status: 400, reason: "target" };
  const authority = pseudo.get(":authority") ?? null;
  const head = assemble({ method, target, authority, isHttp10: false, fields });
  return "method" in head ? reframe(head, isWhole) : head;
}

function splitPseudo(
  raw: Fields,
): { readonly pseudo: Map<string, string>; readonly fields: string[] } | null {
  const pseudo = new Map<string, string>();
  const fields: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const value = raw[index + 1] ?? "";
    if (name.startsWith(":")) pseudo.set(name, value);
    else if (isVisitorField(name, value)) fields.push(name, value);
    else return null;
  }
  return { pseudo, fields };
}

function isTarget(method: string, target: string): boolean {
  return pathPattern.test(target) && (target !== "*" || method === "OPTIONS");
}

/** Here the frames say where a body ends; a length is only repeated, and never for an absent one. */
function reframe(head: RequestHead, isWhole: boolean): RequestHead | Rejection {
  const { framing } = head;
  if (isWhole) {
    if (typeof framing === "number") return { status: 400, reason: "framing" };
    return { ...head, framing: "none", expectsContinue: false, isWebSocket: false };
  }
  return {
    ...head,
    framing: typeof framing === "number" ? framing : "chunked",
    expectsContinue: fieldValue(head.fields, "expect") !== null,
    isWebSocket: false,
  };
}
