import { type Fields, fieldValue, splitList } from "../../http/fields.ts";

export type ContentCoding = "br" | "zstd" | "gzip";

/** In the order of preference where a client likes several equally. */
const codings: readonly ContentCoding[] = ["br", "zstd", "gzip"];

/** Below, the answer fits one packet anyway. */
const leastBytes = 1_024;

const compressibleTypes =
  /^(?:text\/|application\/(?:json|javascript|x-javascript|ecmascript|xml|wasm|manifest\+json|x-ndjson|graphql)\b|[a-z]+\/[^;\s]*\+(?:json|xml)\b|font\/(?:ttf|otf)\b|image\/(?:bmp|x-icon|vnd\.microsoft\.icon)\b)/i;

/** Fields that describe the bytes which are replaced (RFC 9530, RFC 9110 §14.3). */
const ofTheBytes = new Set([
  "accept-ranges",
  "content-digest",
  "content-md5",
  "digest",
  "repr-digest",
]);

export interface CodedResponse {
  readonly status: number;
  readonly fields: Fields;
  readonly length: number | null;
}

/** Whether the response gains from compression and may be changed on its way (RFC 9110 §7.7). */
export function isCompressible({ status, fields, length }: CodedResponse): boolean {
  if (status < 200 || status === 204 || status === 206 || status === 304) return false;
  if (length !== null && length < leastBytes) return false;
  if (fieldValue(fields, "content-encoding") !== null) return false;
  if (fieldValue(fields, "content-range") !== null) return false;
  const cacheControl = splitList(fieldValue(fields, "cache-control") ?? "");
  if (cacheControl.includes("no-transform")) return false;
  return compressibleTypes.test(fieldValue(fields, "content-type") ?? "");
}

/** What the client accepts best (RFC 9110 §12.5.3); null for nothing but the plain bytes. */
export function chooseCoding(acceptEncoding: string | null): ContentCoding | null {
  if (acceptEncoding === null) return null;
  const weights = new Map(splitList(acceptEncoding).map(parseWeight));
  let chosen: ContentCoding | null = null;
  let best = 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > best) [chosen, best] = [coding, weight];
  }
  return chosen;
}

function parseWeight(element: string): readonly [coding: string, weight: number] {
  const [coding = "", ...parameters] = element.split(";").map((part) => part.trim());
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return [coding, Number.isFinite(weight) ? weight : 0];
}

/**
 * The fields of a response that depends on what the client accepts, sent in this coding or plain.
 */
export function codedFields(fields: Fields, coding: ContentCoding | null): string[] {
  const coded: string[] = [];
  let vary = "Accept-Encoding";
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? "";
    const value = fields[index + 1] ?? "";
    if (name === "vary") vary = joined(value, vary);
    else if (coding === null) coded.push(name, value);
    else if (name === "etag") coded.push(name, weakened(value));
    else if (!ofTheBytes.has(name)) coded.push(name, value);
  }
  coded.push("vary", vary);
  if (coding !== null) coded.push("content-encoding", coding);
  return coded;
}

function joined(value: string, more: string): string {
  const listed = splitList(value);
  return listed.includes("*") || listed.includes(more.toLowerCase()) ? value : `${value}, ${more}`;
}

/** RFC 9110 §8.8.1: other bytes with the same meaning. */
function weakened(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`;
}

/** A 304 names the validator that the client has (RFC 9110 §15.4.5). */
export function notModifiedFields(fields: Fields): string[] {
  return codedFields(fields, null).map((value, index, all) =>
    index % 2 === 1 && all[index - 1] === "etag" ? weakened(value) : value,
  );
}
