import { type Fields, fieldValue } from "./fields.ts";

/** Whether these are the fields of a gRPC request or response; gRPC-Web is ordinary HTTP. */
export function isGrpc(fields: Fields): boolean {
  const type = fieldValue(fields, "content-type");
  return type !== null && /^application\/grpc(?:[+; ]|$)/i.test(type);
}

/**
 * The gRPC status of a response that the edge makes itself, as gRPC's own mapping of HTTP statuses
 * has it; where that says nothing, the nearest.
 */
const statuses: Readonly<Record<number, number>> = {
  400: 13,
  401: 16,
  403: 7,
  404: 12,
  408: 4,
  421: 14,
  429: 14,
  431: 8,
  502: 14,
  503: 14,
  504: 14,
  508: 14,
};
const unknown = 2;

/** The HTTP/2 error codes that gRPC gives a meaning; every other reset is `unavailable`. */
const resetStatuses: Readonly<Record<number, number>> = { 2: 13, 8: 1, 11: 8, 12: 7 };

export function toGrpcStatus(httpStatus: number, resetCode: number | null): number {
  const ofReset = resetCode === null ? undefined : resetStatuses[resetCode];
  return ofReset ?? statuses[httpStatus] ?? unknown;
}

/** The fields of a response without a body that reports only a status ("Trailers-Only"). */
export function grpcFields(status: number, message: string): readonly string[] {
  return [
    "content-type",
    "application/grpc",
    "grpc-status",
    String(status),
    // The message is percent-encoded ASCII.
    "grpc-message",
    message.replace(/[^\x20-\x24\x26-\x7e]/g, encodeURIComponent),
  ];
}
