/** A request as a strict reader of RFC 9112 sees it. */
export interface ReadRequest {
  readonly method: string;
  readonly target: string;
  readonly names: readonly string[];
  readonly host: string;
  readonly body: string;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*(.*?)[\t ]*$/s;

interface Read {
  readonly requests: readonly ReadRequest[];
  /** Whether bytes follow that are no request. */
  readonly isMalformed: boolean;
}

/**
 * The requests in bytes, without the code of the product: a second opinion on where each begins and
 * ends. Reading stops at the first that is malformed or incomplete.
 */
export function readRequests(bytes: string): Read {
  const requests: ReadRequest[] = [];
  let rest = bytes;
  while (rest !== "") {
    const one = readOne(rest.startsWith("\r\n") ? rest.slice(2) : rest);
    if (one === null) return { requests, isMalformed: false };
    if (one === "malformed") return { requests, isMalformed: true };
    requests.push(one.request);
    rest = one.rest;
  }
  return { requests, isMalformed: false };
}

type One = { readonly request: ReadRequest; readonly rest: string } | "malformed" | null;

function readOne(text: string): One {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return /(^|[^\r])\n/.test(text) ? "malformed" : null;
  const [start = "", ...lines] = text.slice(0, end).split("\r\n");
  const [method = "", target = "", version = "", ...more] = start.split(" ");
  const isStart = token.test(method) && target !== "" && more.length === 0;
  if (!isStart || !/^HTTP\/1\.[01]$/.test(version)) return "malformed";
  const fields = lines.map((line) => fieldLine.exec(line));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a value must not hold them.
  if (fields.some((one) => one === null || /[\0-\x08\n-\x1f\x7f]/.test(one[2] ?? "")))
    return "malformed";
  const pairs = fields.map((one) => [one?.[1]?.toLowerCase() ?? "", one?.[2] ?? ""] as const);
  const body = readBody(pairs, text.slice(end + 4));
  if (body === null || body === "malformed") return body;
  const names = pairs.map(([name]) => name);
  const host = pairs.find(([name]) => name === "host")?.[1] ?? "";
  return { request: { method, target, names, host, body: body.content }, rest: body.rest };
}

type Body = { readonly content: string; readonly rest: string } | "malformed" | null;

function readBody(pairs: readonly (readonly [string, string])[], text: string): Body {
  const valuesNamed = (requested: string) =>
    pairs.filter(([name]) => name === requested).map(([, value]) => value);
  const [lengths, codings] = [valuesNamed("content-length"), valuesNamed("transfer-encoding")];
  if (lengths.length + codings.length > 1) return "malformed";
  if (codings.length === 1) {
    return codings[0]?.toLowerCase() === "chunked" ? readChunks(text) : "malformed";
  }
  const [length] = lengths;
  if (length === undefined) return { content: "", rest: text };
  if (!/^\d{1,15}$/.test(length)) return "malformed";
  const count = Number(length);
  return text.length < count ? null : { content: text.slice(0, count), rest: text.slice(count) };
}

const chunkLine = /^([0-9A-Fa-f]{1,8})([\t ]*;[^\r\n]*)?$/;

function readChunks(text: string): Body {
  let [content, at] = ["", 0];
  for (;;) {
    const end = text.indexOf("\r\n", at);
    if (end === -1) return null;
    const digits = chunkLine.exec(text.slice(at, end))?.[1];
    if (digits === undefined) return "malformed";
    const size = Number.parseInt(digits, 16);
    at = end + 2;
    if (size === 0) break;
    if (text.length < at + size + 2) return null;
    if (text.slice(at + size, at + size + 2) !== "\r\n") return "malformed";
    content += text.slice(at, at + size);
    at += size + 2;
  }
  return readTrailers(text, at, content);
}

function readTrailers(text: string, start: number, content: string): Body {
  for (let at = start; ; ) {
    const end = text.indexOf("\r\n", at);
    if (end === -1) return null;
    const line = text.slice(at, end);
    at = end + 2;
    if (line === "") return { content, rest: text.slice(at) };
    if (!fieldLine.test(line)) return "malformed";
  }
}
