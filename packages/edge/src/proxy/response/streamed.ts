import { type Fields, fieldValue } from "../../http/fields.ts";
import { isGrpc } from "../../http/grpc.ts";
import type { RequestHead } from "../../http/request-head.ts";
import type { RequestLimits } from "../limits/request-limits.ts";
import type { OriginTimeouts } from "../origin/exchange.ts";

/** Of a response that is sent in pieces, whenever there is one. */
export function streamTimeouts({ firstByteMs, streamSilenceMs }: RequestLimits): OriginTimeouts {
  return { firstByteMs: Math.max(firstByteMs, streamSilenceMs), silenceMs: streamSilenceMs };
}

export function isGrpcCall({ version, fields }: RequestHead): boolean {
  return version === "2.0" && isGrpc(fields);
}

/** Whether pauses are usual in such a response: event streams, and calls of gRPC. */
export function isQuietStream(fields: Fields): boolean {
  const type = fieldValue(fields, "content-type");
  return type?.toLowerCase().startsWith("text/event-stream") === true || isGrpc(fields);
}
