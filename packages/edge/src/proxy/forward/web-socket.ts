import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Tunnel } from "../../http/exchange.ts";
import { type Fields, fieldValue } from "../../http/fields.ts";
import type { ResponseStart } from "../../http/h1/response-head.ts";
import type { RequestHead } from "../../http/request-head.ts";
import { responseFields } from "../headers.ts";

const acceptField = "sec-websocket-accept";

/**
 * The key of the handshake with an origin over HTTP/1.1 (RFC 6455 §4.1): the client's own, or a new
 * one for a client over HTTP/2, which sends none (RFC 8441 §5).
 */
export function webSocketKey(head: RequestHead): string | null {
  if (!head.isWebSocket) return null;
  if (head.version === "2.0") return randomBytes(16).toString("base64");
  return fieldValue(head.fields, "sec-websocket-key");
}

/** What `Sec-WebSocket-Accept` has to be for the key (RFC 6455 §4.2.2). */
function computeAccept(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/**
 * The fields of the response that opens the WebSocket for the client; null when the origin has not
 * accepted the handshake that the edge made for a client over HTTP/2. Between two sides over
 * HTTP/1.1 key and proof pass as they are; an origin over HTTP/2 proves nothing, so the edge does.
 */
export function openingFields(
  head: RequestHead,
  key: string | null,
  origin: { readonly response: ResponseStart; readonly protocol: "http/1.1" | "h2" },
): Fields | null {
  const proof = fieldValue(origin.response.fields, acceptField);
  const fields = withoutAccept(responseFields(origin.response.fields));
  const isOriginH1 = origin.protocol === "http/1.1";
  if (head.version === "2.0") {
    const isAccepted = !isOriginH1 || (key !== null && proof === computeAccept(key));
    return isAccepted ? fields : null;
  }
  const accept = isOriginH1 ? proof : key === null ? null : computeAccept(key);
  return accept === null ? fields : [...fields, acceptField, accept];
}

function withoutAccept(fields: Fields): string[] {
  return fields.filter((_, index) => fields[index - (index % 2)] !== acceptField);
}

/**
 * Copies bytes both ways with backpressure until one side ends or fails. `rest` is what the origin
 * sent with its answer.
 */
export function joinTunnel(client: Tunnel, origin: Duplex, rest: Buffer | null): void {
  const { stream } = client;
  stream.on("error", () => origin.destroy());
  stream.on("close", () => origin.destroy());
  origin.on("error", () => client.cut());
  origin.on("close", () => client.finish());
  copy(origin, stream, rest, (bytes) => client.onBytes(bytes, 0));
  copy(stream, origin, client.rest, (bytes) => client.onBytes(0, bytes));
}

function copy(
  from: Duplex,
  to: Duplex,
  first: Buffer | null,
  onBytes: (bytes: number) => void,
): void {
  const pass = (chunk: Buffer): void => {
    onBytes(chunk.length);
    if (!to.write(chunk)) from.pause();
  };
  if (first !== null) pass(first);
  from.on("data", pass);
  to.on("drain", () => from.resume());
  from.on("end", () => to.end());
  // The head of the WebSocket, or what came with it, may have filled the other side.
  if (to.writableNeedDrain) from.pause();
  else from.resume();
}
