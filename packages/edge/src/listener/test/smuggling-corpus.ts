/** A request as bytes, and what of it may reach an origin: nothing, or one well-formed request. */
export interface SmugglingCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly reaches: "none" | "one";
}

const HOST = "shop.example";

interface Shape {
  readonly start?: string;
  readonly host?: string | null;
  readonly lines?: readonly string[];
  readonly body?: string;
}

/** `@` in a shape becomes the number of its case, so that the origin can tell them apart. */
function write({ start = "POST /case-@ HTTP/1.1", host = HOST, lines = [], body = "" }: Shape): string {
  const hostLine = host === null ? [] : [`Host: ${host}`];
  return `${[start, ...hostLine, ...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`;
}

const HIDDEN = `GET /smuggled-@ HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
const CHUNKED_BODY = `0\r\n\r\n${HIDDEN}`;
const LENGTH_BODY = `hello${HIDDEN}`;
const TE = "Transfer-Encoding: chunked";

const encodings = [
  ...["xchunked", "chunkedx", "chunked, chunked", "gzip, chunked", "chunked, gzip", "identity"],
  ...["chunked, identity", "identity, chunked", "chunked,", ",chunked", ", chunked", "chunked;q=1"],
  ...['"chunked"', "'chunked'", "chunk ed", "c hunked", "chunked\x0b", "\x0bchunked", "chunked\0"],
  ...["\x01chunked", "deflate", "compress, chunked", "br", "x", "", "chunked chunked", "chunked\x7f"],
  ...["chun\tked", "chunked; ext", "{chunked}", "chunked\xa0", "\xa0chunked", "cow, chunked", "*"],
];

const encodingNames = [
  ...["Transfer-Encoding ", " Transfer-Encoding", "\tTransfer-Encoding", "Transfer_Encoding"],
  ...["Transfer.Encoding", "Transfer-Encoding\0", "Transfer Encoding", "\x0bTransfer-Encoding"],
  ...["Transfer-Encod\xefng", "(Transfer-Encoding)", "Transfer-Encoding\t", "", "Transfer-Encoding\x7f"],
];

const lengths = [
  ...["+5", "-5", "0x5", "5 5", "5,5", "5, 5", "5.0", "5e0", "", "five", "5;", "5\x0b", "\x0b5", "5\0"],
  ...["\xa05", "5_", "٥", "9999999999999999", "18446744073709551621", "5 ,", "'5'", "5h", "00x5", "1 "],
].filter((length) => length !== "1 ");

const hosts = [
  ...["x@shop.example", "shop.example@evil.example", "shop.example:80@evil.example", "shop.example/"],
  ...["shop.example evil.example", "shop.example,evil.example", "shop.example, shop.example", ""],
  ...["shop.example:", "shop.example:http", "shop.example:4433333", "shop.example:-1", "[::1]", "_"],
  ...["shop.example#", "shop.example?", "shop.example\\", "shop..example", ".shop.example", "shop_example"],
  ...["shop.example:80:80", "http://shop.example", "shop.example\xa0", "shop.example%00", "evil.example"],
];

const starts = [
  ...["POST /case-@", "POST  /case-@ HTTP/1.1", "POST /case-@  HTTP/1.1", "POST /case-@ HTTP/1.1 "],
  ...[" POST /case-@ HTTP/1.1", "POST\t/case-@\tHTTP/1.1", "POST /case-@ http/1.1", "POST /case-@ HTTP/1.2"],
  ...["POST /case-@ HTTP/2.0", "POST /case-@ HTTP/0.9", "POST /case-@ HTTP/1.1.1", "POST /case-@ HTTP/11"],
  ...["POST /case-@ HTTP/1.10", "POST /case-@ HTTP /1.1", "POST /case-@#x HTTP/1.1", "POST case-@ HTTP/1.1"],
  ...["POST /case @ HTTP/1.1", "POST /case-@\0 HTTP/1.1", "POST /case-@\x0b HTTP/1.1", "POST * HTTP/1.1"],
  ...["CONNECT shop.example:443 HTTP/1.1", "TRACE /case-@ HTTP/1.1", "POST\0 /case-@ HTTP/1.1"],
  ...["P()ST /case-@ HTTP/1.1", " /case-@ HTTP/1.1", "/case-@ HTTP/1.1", "POST /case-@ ICAP/1.0", "POST"],
  ...["POST http://evil.example/case-@ HTTP/1.1", "POST https://shop.example@evil.example/case-@ HTTP/1.1"],
  ...["POST https://x:y@shop.example/case-@ HTTP/1.1", "POST ftp://shop.example/case-@ HTTP/1.1"],
  ...["POST https:///case-@ HTTP/1.1", "POST //evil.example:80\r/case-@ HTTP/1.1", "PRI * HTTP/2.0"],
];

const fieldLines = [
  ...["X-A", "X-A b", ": b", "X A: b", "X-A : b", "X-A\t: b", " X-A: b", "X_A: b", "X.A: b", "X-A\0: b"],
  ...["X-A: b\0c", "X-A: b\x01", "X-A: b\x7f", "X-A: b\rc", "X-A: b\nc", "X-A: b\n Host: x", "X(A): b"],
  ...["X-A: b\r\n folded: c", "X-A: b\r\n\tfolded", "X-A: b\r", "X-A: b\r\r", "\xefX: b", "X-A\xad: b"],
  ...["X_Forwarded_For: 1.2.3.4", "Content_Length: 5", "Remote.User: root", "Host : shop.example"],
  ...["Host: shop.example", "Host: evil.example", "hOST: evil.example", `\n${TE}`, `\r${TE}`, "__proto__: x"],
];

const chunkBodies = [
  ...["5;ext=1\r\nhello\r\n0\r\n\r\n", "5;\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n"],
  ...[" 5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n"],
  ...["0x5\r\nhello\r\n0\r\n\r\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\rhello\r\n0\r\n\r\n"],
  ...["5\r\nhello0\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "g\r\nhello\r\n0\r\n\r\n", "\r\nhello\r\n0\r\n\r\n"],
  ...["100000000000000005\r\nhello\r\n0\r\n\r\n", "fffffffff\r\nhello", "5\0\r\nhello\r\n0\r\n\r\n"],
  ...["5\r\nhello\r\n0;x\r\n\r\n", "5\r\nhello\r\n0\n\n", "5\r\nhello\r\n0\r\n\n", "0\r\nX_A: b\r\n\r\n"],
  ...["0\r\nX-A : b\r\n\r\n", "0\r\nno colon\r\n\r\n", "0\r\n folded\r\n\r\n", "0\r\nX-A: b\0\r\n\r\n"],
  ...["5\r\n\r\nhello\r\n0\r\n\r\n", '5;a="\r\n"\r\nhello\r\n0\r\n\r\n', "5\r\r\nhello\r\n0\r\n\r\n"],
  ...["0005;\r\nhello\r\n0\r\n\r\n", "5\t\r\nhello\r\n0\r\n\r\n", "5,5\r\nhello\r\n0\r\n\r\n"],
];

type Named = readonly [name: string, text: string];

function refused(): Named[] {
  const both = ["chunked", "CHUNKED", ...encodings];
  const show = (value: string) => JSON.stringify(value);
  return [
    ...both.map((encoding): Named => [
      `length beside encoding ${show(encoding)}`,
      write({ lines: ["Content-Length: 5", `Transfer-Encoding: ${encoding}`], body: CHUNKED_BODY }),
    ]),
    ...encodings.map((encoding): Named => [
      `encoding ${show(encoding)}`,
      write({ lines: [`Transfer-Encoding: ${encoding}`], body: CHUNKED_BODY }),
    ]),
    ...encodingNames.map((name): Named => [
      `encoding named ${show(name)}`,
      write({ lines: ["Content-Length: 5", `${name}: chunked`], body: CHUNKED_BODY }),
    ]),
    ...lengths.map((length): Named => [
      `length ${show(length)}`,
      write({ lines: [`Content-Length: ${length}`], body: LENGTH_BODY }),
    ]),
    ...hosts.map((host): Named => [`host ${show(host)}`, write({ host })]),
    ...starts.map((start): Named => [`start line ${show(start)}`, write({ start })]),
    ...fieldLines.map((line): Named => [`field line ${show(line)}`, write({ lines: [line] })]),
    ...chunkBodies.map((body): Named => [
      `chunks ${show(body)}`,
      write({ lines: [TE], body: body + HIDDEN }),
    ]),
    ...refusedOthers(),
  ];
}

function refusedOthers(): Named[] {
  const head = `POST /case-@ HTTP/1.1\r\nHost: ${HOST}\r\n`;
  return [
    ["two equal lengths", write({ lines: ["Content-Length: 5", "Content-Length: 5"], body: LENGTH_BODY })],
    ["two lengths", write({ lines: ["Content-Length: 5", "Content-Length: 0"], body: LENGTH_BODY })],
    ["two encodings", write({ lines: [TE, TE], body: CHUNKED_BODY })],
    ["two encodings, one unknown", write({ lines: [TE, "Transfer-Encoding: x"], body: CHUNKED_BODY })],
    ["encoding on 1.0", write({ start: "POST /case-@ HTTP/1.0", lines: [TE], body: CHUNKED_BODY })],
    ["no host", write({ host: null })],
    ["no host on 1.0", write({ start: "GET /case-@ HTTP/1.0", host: null })],
    ["host only in the target", write({ start: "GET https://evil.example/case-@ HTTP/1.1", host: null })],
    ["line feeds only", `${head.replaceAll("\r\n", "\n")}\n`],
    ["line feed after the start line", head.replace("\r\n", "\n") + "\r\n"],
    ["line feed at the end of the head", `${head}\n\r\n\r\n`],
    ["carriage returns only", `${head.replaceAll("\r\n", "\r")}\r\r\n\r\n`],
    ["two empty lines first", `\r\n\r\n${write({})}`],
    ["a line feed first", `\n${write({})}`],
    ["a blank line with a blank", `${head} \r\n\r\n`],
    ["101 fields", write({ lines: Array.from({ length: 100 }, (_, n) => `X-${n}: 1`) })],
    ["a head too large", write({ lines: [`X-A: ${"b".repeat(17_000)}`] })],
    ["an unknown expectation", write({ lines: ["Expect: 200-maybe", "Content-Length: 5"], body: "hello" })],
    ["two expectations", write({ lines: ["Expect: 100-continue", "Expect: 100-continue"] })],
  ];
}

function accepted(): Named[] {
  const withLength = { lines: ["Content-Length: 5"], body: LENGTH_BODY };
  const get = "GET /case-@ HTTP/1.1";
  return [
    ["bytes after the last request", write(withLength)],
    ["a length with blanks around", write({ lines: ["Content-Length: \t5 "], body: LENGTH_BODY })],
    ["a length with zeros", write({ lines: ["Content-Length: 005"], body: LENGTH_BODY })],
    ["chunks", write({ lines: [TE], body: `5\r\nhello\r\n${CHUNKED_BODY}` })],
    ["an encoding in capitals", write({ lines: ["TRANSFER-ENCODING: CHUNKED"], body: CHUNKED_BODY })],
    ["chunk sizes with zeros", write({ lines: [TE], body: `0005\r\nhello\r\n${CHUNKED_BODY}` })],
    ["trailers that frame", write({ lines: [TE], body: `0\r\nContent-Length: 9\r\n\r\n${HIDDEN}` })],
    ["a request in a chunk", write({ lines: [TE], body: `4\r\nGET \r\n${CHUNKED_BODY}` })],
    ["GET with a length", write({ ...withLength, start: get })],
    ["GET with chunks", write({ start: get, lines: [TE], body: CHUNKED_BODY })],
    ["length 0 and more bytes", write({ lines: ["Content-Length: 0"], body: HIDDEN })],
    ["an empty line first", `\r\n${write({ start: get })}`],
    ["the target with its host", write({ start: `GET https://${HOST}/case-@ HTTP/1.1` })],
    ["the target with its host in capitals", write({ start: "GET HTTP://SHOP.example/case-@ HTTP/1.1" })],
    ["HTTP/1.0 with a host", write({ start: "GET /case-@ HTTP/1.0" })],
    ["h2c", write({ start: get, lines: ["Upgrade: h2c", "HTTP2-Settings: AAMAAABk"], body: HIDDEN })],
    ["an upgrade with a body", write({ ...withLength, lines: ["Upgrade: websocket", "Content-Length: 5"] })],
    ["Connection: content-length", write({ lines: ["Connection: Content-Length", "Content-Length: 5"], body: LENGTH_BODY })],
    ["Connection: host", write({ start: get, lines: ["Connection: host, transfer-encoding"] })],
    ["bytes above ASCII in the target", write({ start: "GET /case-@/\xe4 HTTP/1.1" })],
    ["an encoded line end in the target", write({ start: "GET /case-@%0d%0aX:%20y HTTP/1.1" })],
    ["dots in the path", write({ start: "GET /case-@/../../x HTTP/1.1" })],
  ];
}

export function smugglingCorpus(): SmugglingCase[] {
  const tag = (reaches: "none" | "one") => (entry: Named) => ({ name: entry[0], text: entry[1], reaches });
  return [...refused().map(tag("none")), ...accepted().map(tag("one"))].map(
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
