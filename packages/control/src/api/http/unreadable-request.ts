import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "../../domain/errors.ts";
import type { Logger } from "../../process/log.ts";
import { apiHeaders, errorReply } from "./error-reply.ts";

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the head of the request is over 16,384 bytes"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request was not complete in time"],
};
const malformed = [400, "the request is not valid HTTP"] as const;

/**
 * Answers what the HTTP parser refuses, before there is a request that a route or a hook could see:
 * with the same envelope, headers and reference as every other error. The connection ends, since
 * nobody knows where the next request begins.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { requestId, log }: { readonly requestId: string; readonly log: Logger },
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = refusals[error.code ?? ""] ?? malformed;
  log.info({ requestId, status, reason: error.code }, "request refused");
  const body = JSON.stringify(errorReply(new AppError("invalid", message)).body);
  const headers = {
    ...apiHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join("\r\n");
  socket.end(`${head}\r\n\r\n${body}`);
}
