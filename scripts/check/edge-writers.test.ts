import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { parseSync } from "oxc-parser";

/**
 * Every call of the edge that sends bytes to a visitor or an origin. A result that says "full" must
 * be used: a writer that ignores it buffers without limit for a peer that does not read. A call
 * that has no such result, or ignores it, needs a reason here.
 */

const root = path.join(import.meta.dirname, "../../packages/edge/src");

/** Folders without connections of visitors or origins. */
const otherFolders = [
  "accelerator",
  "acme",
  "certificates",
  "db",
  "feed",
  "hosts",
  "nameserver",
  "stream-writer",
];

/** They return false when the peer reads too slowly. */
const answering = new Set(["write", "writeCopy", "inform", "onInform", "onData", "into"]);
/** They return nothing about the peer. */
const silent = new Set([
  "additionalHeaders",
  "pipe",
  "pipeline",
  "respond",
  "sendTrailers",
  "writeHead",
]);

/** What is written without regard to the result: how often in the file, and why it is bounded. */
const reasons: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "http/copied-writes.ts this.#stream.write": [
    1,
    "one block; the next write of the class compares writableLength",
  ],
  "http/copied-writes.ts this.#block.write": [1, "fills a buffer"],
  "http/copied-writes.ts target.write": [1, "fills a buffer"],
  "http/h1/body-decoder.ts onData": [3, "returns nothing: the owner of the decoder pauses itself"],
  "http/h1/connection.ts this.#socket.write": [
    1,
    "the last bytes of the connection, which is closed after discardMs",
  ],
  "http/h1/exchange.ts socket.write": [1, "101; the tunnel asks writableNeedDrain before it reads"],
  "http/h2/exchange.ts this.#stream.additionalHeaders": [
    1,
    "outside flow control; the length of the queue is compared after it",
  ],
  "http/h2/exchange.ts this.#stream.respond": [
    1,
    "one head a stream; the session's memory is limited, and a body waits for the window",
  ],
  "http/h2/exchange.ts stream.respond": [2, "one head a stream, as above"],
  "http/h2/exchange.ts stream.end": [1, "one page of an error, then the stream has ended"],
  "http/h2/exchange.ts this.#stream.sendTrailers": [
    1,
    "once a stream, and bounded by the origin's",
  ],
  "listen/refusals.ts socket.end": [1, "one alert or one short head, then the socket has ended"],
  "metrics/operational.ts response.end": [2, "for operators; Node's own server"],
  "proxy/origin/h2-stream.ts stream.sendTrailers": [
    1,
    "once a stream, and bounded by the client's",
  ],
  "proxy/response/error-page.ts exchange.respond": [2, "one head; the exchange honours the socket"],
  "proxy/response/error-page.ts exchange.write": [
    1,
    "one page; no further request is read before it is sent",
  ],
  "proxy/response/probe.ts exchange.respond": [1, "the head of 43 characters"],
  "proxy/response/probe.ts exchange.write": [1, "43 characters"],
  "proxy/serve-request.ts exchange.respond": [2, "one head; the exchange honours the socket"],
  "proxy/serve-request.ts exchange.write": [
    1,
    "one token; no further request is read before it is sent",
  ],
  "proxy/exchange-wrapper.ts this.inner.respond": [1, "passes on; see the exchanges"],
  "proxy/measured-exchange.ts super.respond": [1, "passes on; see the exchanges"],
  "proxy/site-exchange.ts this.inner.respond": [5, "passes on; see the exchanges"],
  "proxy/forward/forward.ts this.#exchange.respond": [1, "one head; see the exchanges"],
  "tls/handshake.ts this.#socket.end": [1, "one alert of 7 bytes, then the connection has ended"],
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The node itself, without what passes its value on. */
function findResults(node: unknown): readonly Node[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case "ChainExpression":
    case "ParenthesizedExpression":
      return findResults(node["expression"]);
    case "UnaryExpression":
    case "AwaitExpression":
      return findResults(node["argument"]);
    case "LogicalExpression":
      return findResults(node["right"]);
    case "ConditionalExpression":
      return [...findResults(node["consequent"]), ...findResults(node["alternate"])];
    default:
      return [node];
  }
}

/** Expressions whose value nobody reads: statements, and callbacks that are not a method. */
function unusedIn(node: Node, parent: Node | null): readonly Node[] {
  const isMethod = parent?.type === "Property";
  const own =
    node.type === "ExpressionStatement"
      ? findResults(node["expression"])
      : node.type === "ArrowFunctionExpression" && !isMethod
        ? findResults(node["body"])
        : [];
  const inside = Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((child) => unusedIn(child, node));
  return [...own, ...inside];
}

function callsIn(node: Node): readonly Node[] {
  const inside = Object.values(node).flat().filter(isNode).flatMap(callsIn);
  return node.type === "CallExpression" ? [node, ...inside] : inside;
}

/** The name of the function or method, and the callee as it is written. */
function readCallee(call: Node, text: string): { readonly name: string; readonly source: string } {
  const { callee } = call;
  if (!isNode(callee)) return { name: "", source: "" };
  const source = text.slice(callee.start, callee.end).replace(/\?\./g, ".").replace(/\s+/g, "");
  return { name: source.split(".").at(-1) ?? "", source };
}

/** Ends with a last piece; an exchange or a sink ends with trailers, which are bounded. */
function isEndWithBytes(name: string, source: string, call: Node): boolean {
  const hasArguments = Array.isArray(call["arguments"]) && call["arguments"].length > 0;
  return name === "end" && hasArguments && /(socket|stream|response)\.end$/.test(source);
}

/** The calls that need a reason, as `file callee`. */
function findWriters(file: string, text: string): readonly string[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  if (!isNode(program)) throw new Error(`${file}: no program`);
  const unused = new Set(unusedIn(program, null));
  return callsIn(program).flatMap((call) => {
    const { name, source } = readCallee(call, text);
    const isIgnored = answering.has(name) && unused.has(call);
    const isSilent = silent.has(name) || isEndWithBytes(name, source, call);
    return isIgnored || isSilent ? [`${file} ${source}`] : [];
  });
}

function findAll(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of globSync("**/*.ts", { cwd: root })) {
    if (file.endsWith(".test.ts") || otherFolders.includes(file.split("/")[0] ?? "")) continue;
    for (const writer of findWriters(file, readFileSync(path.join(root, file), "utf8"))) {
      counts.set(writer, (counts.get(writer) ?? 0) + 1);
    }
  }
  return counts;
}

describe("everything the edge writes", () => {
  it("honours what the write returns, or has a reason", () => {
    const found = Object.fromEntries([...findAll()].sort());
    const expected = Object.fromEntries(
      Object.entries(reasons)
        .map(([writer, [count]]) => [writer, count] as const)
        .sort(),
    );
    assert.deepEqual(found, expected);
  });

  it("is found in every form in which a result can be ignored", () => {
    const ignored = [
      "socket.write(bytes);",
      "socket?.write(bytes);",
      "void socket.write(bytes);",
      "if (isOpen) socket.write(bytes);",
      "isOpen && socket.write(bytes);",
      "isOpen ? socket.write(bytes) : other.write(bytes);",
      'from.on("data", (chunk) => to.write(chunk));',
      "from.pipe(to);",
      "stream.additionalHeaders(headers);",
      "socket.end(bytes);",
      "writeCopy(socket, pieces);",
    ];
    for (const text of ignored) assert.notEqual(findWriters("a.ts", text).length, 0, text);
    const used = [
      "if (!socket.write(bytes)) from.pause();",
      "const isWritable = socket.write(bytes);",
      "function send() { return socket.write(bytes); }",
      "const sink = { write: (chunk) => inner.write(chunk) };",
      "socket.end();",
    ];
    for (const text of used) assert.deepEqual(findWriters("a.ts", text), [], text);
  });
});
