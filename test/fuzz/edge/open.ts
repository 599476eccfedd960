import assert from "node:assert/strict";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { loopbackAddress } from "@mooring/testing/clients/many-clients";
import { visit } from "@mooring/testing/clients/visit";
import { sendRawH2 } from "@mooring/testing/edge/http/raw-h2";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import type { FuzzTarget } from "../target.ts";
import { type EdgeInput, edgeInputs, hostname, type RawFrame } from "./inputs.ts";
import { readRequests } from "./strict-reader.ts";
import { type Arrived, startWitnessOrigin } from "./witness-origin.ts";

/** Of the requests of a few inputs. */
const maxLate = 60;
/** A few inputs alone can be such that an edge refuses them all. */
const leastSent = 50;
/** A client gives up on an edge that neither answers nor closes. */
const clientTimeoutMs = 3_000;

/**
 * A real edge process with hostile clients in front and a witness behind. Harm is: a request at the
 * origin that a strict reader does not see in the client's bytes, bytes that two readers read
 * differently, a forged header, another host, an end of the process, or memory.
 */
export async function openEdgeTarget(): Promise<FuzzTarget<readonly EdgeInput[]>> {
  const origin = await startWitnessOrigin();
  const stock = await stockEdge(1);
  await stock.database.admin.query("update applications set origin_url = $1", [origin.url]);
  const settings = { ...stock.env, EDGE_WORKERS: "1", LOG_LEVEL: "error" };
  const edge = await startEdgeProcess(settings);
  const workers = edge.workers();
  let count = 0;
  const total = { sent: 0, served: 0 };
  /** What was sent and has not arrived: a client that leaves does not always stop its request. */
  let late: readonly Allowed[] = [];
  const client = async (input: EdgeInput): Promise<void> => {
    count += 1;
    const { sent, served } = await play(edge, stock, input, loopbackAddress(count % 50_000));
    total.sent += sent;
    total.served += served;
  };
  await until200(edge, stock);
  origin.take();
  return {
    inputs: edgeInputs,
    maxGrowthBytes: 200 * 1_048_576,
    memoryBytes: () => Math.max(...edge.resident()),
    count: () => count,
    async attempt(inputs) {
      await Promise.all(inputs.map(client));
      const { requests, problems } = origin.take();
      assert.deepEqual(problems, []);
      late = checkAll([...late, ...inputs.flatMap(listAllowed)], requests).slice(-maxLate);
    },
    async review() {
      assert.deepEqual(edge.workers(), workers, edge.output().slice(-2_000));
      await until200(edge, stock);
      origin.take();
      // What ends before the origin proves nothing of it.
      const { sent, served } = total;
      const isEnough = sent < leastSent || served >= sent / 4;
      assert.ok(isEnough, `${served} of ${sent} requests of HTTP/1.1 at the origin`);
    },
    async close() {
      await edge.signal("SIGKILL");
      await stock.close();
      await origin.close();
    },
  };
}

async function until200(edge: EdgeProcess, stock: Stock): Promise<void> {
  const { status } = await visit(edge.httpsPort, hostname, stock.root);
  assert.equal(status, 200, "the edge no longer serves");
}

async function play(
  edge: EdgeProcess,
  stock: Stock,
  input: EdgeInput,
  localAddress: string,
): Promise<Answered> {
  const plain = connectTcp({ host: "127.0.0.1", port: edge.httpsPort, localAddress });
  plain.on("error", () => undefined);
  const timer = setTimeout(() => plain.destroy(), clientTimeoutMs);
  try {
    if (input.kind === "hello") {
      plain.resume().end(Buffer.from(input.bytes, "latin1"));
      await closed(plain);
      return none;
    }
    const ALPNProtocols = [input.kind === "h1" ? "http/1.1" : "h2"];
    const socket = connectTls({
      socket: plain,
      servername: hostname,
      ca: stock.root,
      ALPNProtocols,
    });
    socket.on("error", () => undefined);
    await Promise.race([secured(socket), closed(plain)]);
    if (input.kind === "h2") {
      await Promise.race([sendRawH2(socket, input.fields, input.body), closed(plain)]);
    } else {
      const answered = input.kind === "h1" ? waitForAnswers(socket, input.bytes) : none;
      socket.resume();
      await sendPieces(socket, input);
      const counts = await answered;
      socket.end();
      await closed(plain);
      return counts;
    }
    return none;
  } finally {
    clearTimeout(timer);
    plain.destroy();
  }
}

/** Requests of HTTP/1.1 in what a client has sent, and those that the origin has answered. */
interface Answered {
  readonly sent: number;
  readonly served: number;
}

const none: Answered = { sent: 0, served: 0 };

async function secured(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once("secureConnect", () => resolve()));
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once("close", () => resolve()));
}

async function sendPieces(
  socket: Socket,
  input: Extract<EdgeInput, { kind: "h1" | "frames" }>,
): Promise<void> {
  const bytes =
    input.kind === "h1" ? Buffer.from(input.bytes, "latin1") : framesBytes(input.frames);
  const pieces = input.kind === "h1" ? input.pieces : 1;
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/**
 * Until every request that a strict reader sees has its answer: those of a client that has left, or
 * has closed its half, end before they reach the origin.
 */
async function waitForAnswers(socket: Socket, bytes: string): Promise<Answered> {
  const { requests } = readRequests(bytes);
  let text = "";
  const count = (status: RegExp): number => text.match(status)?.length ?? 0;
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (count(/HTTP\/1\.1 [2-5]\d\d /g) >= requests.length) resolve();
    };
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      check();
    });
    socket.once("close", () => resolve());
    check();
  });
  return { sent: requests.length, served: count(/HTTP\/1\.1 200 /g) };
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1");

function framesBytes(frames: readonly RawFrame[]): Buffer {
  const encoded = frames.map(({ type, flags, stream, payload }) => {
    const data = Buffer.from(payload, "latin1");
    const head = Buffer.alloc(9);
    head.writeUIntBE(data.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream >>> 0, 5);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([preface, ...encoded]);
}

/**
 * What arrived must be in what clients sent, and as often at most; returns what has not arrived.
 */
function checkAll(sent: readonly Allowed[], arrived: readonly Arrived[]): readonly Allowed[] {
  const allowed = [...sent];
  for (const request of arrived) {
    checkHeaders(request);
    assert.notEqual(request.method, "PRI");
    const at = allowed.findIndex((one) => matches(one, request));
    assert.ok(at !== -1, `nobody sent ${JSON.stringify(request)}`);
    allowed.splice(at, 1);
  }
  return allowed;
}

interface Allowed {
  readonly method: string | null;
  readonly path: string | null;
  readonly body: string | null;
}

function listAllowed(input: EdgeInput): Allowed[] {
  if (input.kind === "hello") return [];
  if (input.kind === "h1") {
    return readRequests(input.bytes).requests.map(({ method, target, body }) => ({
      method,
      path: normalizePath(target),
      body,
    }));
  }
  if (input.kind === "h2") {
    const value = (name: string) => input.fields.find((one) => one[0] === name)?.[1] ?? null;
    return [{ method: value(":method"), path: normalizePath(value(":path") ?? ""), body: null }];
  }
  // Of raw frames only the number is known: a request for each HEADERS.
  return input.frames
    .filter(({ type }) => type === 1)
    .map(() => ({ method: null, path: null, body: null }));
}

function normalizePath(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "");
  const rooted = path.startsWith("/") || path === "*" ? path : `/${path}`;
  return normal(rooted);
}

/** The edge resolves dot segments and encodes octets above ASCII; what is left is compared. */
function normal(path: string): string {
  const encoded = path.replace(
    /[\x80-\xff]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return URL.canParse(`http://x${encoded}`) ? new URL(`http://x${encoded}`).href : encoded;
}

function matches(one: Allowed, request: Arrived): boolean {
  return (
    (one.method === null || one.method === request.method) &&
    (one.path === null || one.path === normal(request.url)) &&
    (one.body === null || one.body === request.body)
  );
}

function checkHeaders({ headers, names, url }: Arrived): void {
  const countNamed = (name: string) => names.filter((one) => one === name).length;
  assert.equal(countNamed("host"), 1, url);
  assert.match(String(headers["host"]), /^n0\.stock\.example(:\d+)?$/i, url);
  assert.ok(countNamed("content-length") + countNamed("transfer-encoding") <= 1, url);
  assert.ok(countNamed("x-svc-assertion") <= 1 && headers["x-svc-assertion"] !== "forged", url);
  assert.ok(!String(headers["x-forwarded-for"]).includes("6.6.6.6"), url);
  assert.equal(countNamed("x_forwarded_for"), 0, url);
}
