import {
  aliasLines,
  chunkBodies,
  chunkExtensions,
  encodingNames,
  encodings,
  fieldLines,
  hosts,
  lengths,
  starts,
} from "./smuggling-parts.ts";

/** A request as bytes, and what of it may reach an origin: nothing, or one well-formed request. */
export interface SmugglingCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly reaches: "none" | "one";
}

const hostname = "shop.example";

interface Shape {
  readonly start?: string;
  readonly host?: string | null;
  readonly lines?: readonly string[];
  readonly body?: string;
}

/** `@` in a shape becomes the number of its case, so that the origin can distinguish them. */
function write({
  start = "POST /case-@ HTTP/1.1",
  host = hostname,
  lines = [],
  body = "",
}: Shape): string {
  const hostLine = host === null ? [] : [`Host: ${host}`];
  return `${[start, ...hostLine, ...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`;
}

const hidden = `GET /smuggled-@ HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
const chunkedBody = `0\r\n\r\n${hidden}`;
const lengthBody = `hello${hidden}`;
const chunkedField = "Transfer-Encoding: chunked";

type Named = readonly [name: string, text: string];

function refused(): Named[] {
  const both = ["chunked", "CHUNKED", ...encodings];
  const show = (value: string) => JSON.stringify(value);
  return [
    ...both.map(
      (encoding): Named => [
        `length beside encoding ${show(encoding)}`,
        write({
          lines: ["Content-Length: 5", `Transfer-Encoding: ${encoding}`],
          body: chunkedBody,
        }),
      ],
    ),
    ...encodings.map(
      (encoding): Named => [
        `encoding ${show(encoding)}`,
        write({ lines: [`Transfer-Encoding: ${encoding}`], body: chunkedBody }),
      ],
    ),
    ...encodingNames.map(
      (name): Named => [
        `encoding named ${show(name)}`,
        write({ lines: ["Content-Length: 5", `${name}: chunked`], body: chunkedBody }),
      ],
    ),
    ...lengths.map(
      (length): Named => [
        `length ${show(length)}`,
        write({ lines: [`Content-Length: ${length}`], body: lengthBody }),
      ],
    ),
    ...hosts.map((host): Named => [`host ${show(host)}`, write({ host })]),
    ...starts.map((start): Named => [`start line ${show(start)}`, write({ start })]),
    ...fieldLines.map((line): Named => [`field line ${show(line)}`, write({ lines: [line] })]),
    ...chunkBodies.map(
      (body): Named => [
        `chunks ${show(body)}`,
        write({ lines: [chunkedField], body: body + hidden }),
      ],
    ),
    ...refusedOthers(),
  ];
}

function refusedOthers(): Named[] {
  const head = `POST /case-@ HTTP/1.1\r\nHost: ${hostname}\r\n`;
  return [
    [
      "two equal lengths",
      write({ lines: ["Content-Length: 5", "Content-Length: 5"], body: lengthBody }),
    ],
    ["two lengths", write({ lines: ["Content-Length: 5", "Content-Length: 0"], body: lengthBody })],
    ["two encodings", write({ lines: [chunkedField, chunkedField], body: chunkedBody })],
    [
      "two encodings, one unknown",
      write({ lines: [chunkedField, "Transfer-Encoding: x"], body: chunkedBody }),
    ],
    [
      "encoding on 1.0",
      write({ start: "POST /case-@ HTTP/1.0", lines: [chunkedField], body: chunkedBody }),
    ],
    ["no host", write({ host: null })],
    ["no host on 1.0", write({ start: "GET /case-@ HTTP/1.0", host: null })],
    [
      "host only in the target",
      write({ start: "GET https://evil.example/case-@ HTTP/1.1", host: null }),
    ],
    ["line feeds only", `${head.replaceAll("\r\n", "\n")}\n`],
    ["line feed after the start line", `${head.replace("\r\n", "\n")}\r\n`],
    ["line feed at the end of the head", `${head}\n\r\n\r\n`],
    ["carriage returns only", `${head.replaceAll("\r\n", "\r")}\r\r\n\r\n`],
    ["two empty lines first", `\r\n\r\n${write({})}`],
    ["a line feed first", `\n${write({})}`],
    ["a blank line with a blank", `${head} \r\n\r\n`],
    ["257 fields", write({ lines: Array.from({ length: 255 }, (_, n) => `X-${n}: 1`) })],
    ["a head too large", write({ lines: [`X-A: ${"b".repeat(17_000)}`] })],
    [
      "an unknown expectation",
      write({ lines: ["Expect: 200-maybe", "Content-Length: 5"], body: "hello" }),
    ],
    ["two expectations", write({ lines: ["Expect: 100-continue", "Expect: 100-continue"] })],
  ];
}

/** Accepted, although other proxies refuse some of them. */
function tolerated(): Named[] {
  return [
    ...aliasLines.map((line): Named => [`alias ${JSON.stringify(line)}`, write({ lines: [line] })]),
    ...chunkExtensions.map(
      (extension): Named => [
        `chunk extension ${JSON.stringify(extension)}`,
        write({
          lines: [chunkedField],
          body: `5${extension}\r\nhello\r\n0${extension}\r\n\r\n${hidden}`,
        }),
      ],
    ),
    [
      "a trailer with an underscore",
      write({ lines: [chunkedField], body: `0\r\nX_A: b\r\n\r\n${hidden}` }),
    ],
  ];
}

function accepted(): Named[] {
  const withLength = { lines: ["Content-Length: 5"], body: lengthBody };
  const get = "GET /case-@ HTTP/1.1";
  return [
    ["bytes after the last request", write(withLength)],
    ["a length with blanks around", write({ lines: ["Content-Length: \t5 "], body: lengthBody })],
    ["a length with zeros", write({ lines: ["Content-Length: 005"], body: lengthBody })],
    ["chunks", write({ lines: [chunkedField], body: `5\r\nhello\r\n${chunkedBody}` })],
    [
      "an encoding in capitals",
      write({ lines: ["TRANSFER-ENCODING: CHUNKED"], body: chunkedBody }),
    ],
    [
      "chunk sizes with zeros",
      write({ lines: [chunkedField], body: `0005\r\nhello\r\n${chunkedBody}` }),
    ],
    [
      "trailers that frame",
      write({ lines: [chunkedField], body: `0\r\nContent-Length: 9\r\n\r\n${hidden}` }),
    ],
    ["a request in a chunk", write({ lines: [chunkedField], body: `4\r\nGET \r\n${chunkedBody}` })],
    ["GET with a length", write({ ...withLength, start: get })],
    ["GET with chunks", write({ start: get, lines: [chunkedField], body: chunkedBody })],
    ["length 0 and more bytes", write({ lines: ["Content-Length: 0"], body: hidden })],
    ["an empty line first", `\r\n${write({ start: get })}`],
    ["the target with its host", write({ start: `GET https://${hostname}/case-@ HTTP/1.1` })],
    [
      "the target with its host in capitals",
      write({ start: "GET HTTP://SHOP.example/case-@ HTTP/1.1" }),
    ],
    ["HTTP/1.0 with a host", write({ start: "GET /case-@ HTTP/1.0" })],
    [
      "h2c",
      write({ start: get, lines: ["Upgrade: h2c", "HTTP2-Settings: AAMAAABk"], body: hidden }),
    ],
    [
      "an upgrade with a body",
      write({ ...withLength, lines: ["Upgrade: websocket", "Content-Length: 5"] }),
    ],
    [
      "Connection: content-length",
      write({ lines: ["Connection: Content-Length", "Content-Length: 5"], body: lengthBody }),
    ],
    ["Connection: host", write({ start: get, lines: ["Connection: host, transfer-encoding"] })],
    ["bytes above ASCII in the target", write({ start: "GET /case-@/\xe4 HTTP/1.1" })],
    ["an encoded line end in the target", write({ start: "GET /case-@%0d%0aX:%20y HTTP/1.1" })],
    ["256 fields", write({ lines: Array.from({ length: 254 }, (_, n) => `X-${n}: 1`) })],
    ["dots in the path", write({ start: "GET /case-@/../../x HTTP/1.1" })],
  ];
}

export function smugglingCorpus(): SmugglingCase[] {
  const tag = (reaches: "none" | "one") => (entry: Named) => ({
    name: entry[0],
    text: entry[1],
    reaches,
  });
  return [...refused().map(tag("none")), ...[...tolerated(), ...accepted()].map(tag("one"))].map(
    ({ name, text, reaches }, index) => ({
      name,
      reaches,
      bytes: Buffer.from(
        text.replaceAll("-@", `-${index}`).replace("case @", `case ${index}`),
        "latin1",
      ),
    }),
  );
}
