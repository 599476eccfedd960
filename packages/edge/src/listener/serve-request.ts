import type { CertificateSource } from "../certificate-source.ts";
import type { Host, HostTable } from "../host.ts";
import { parseAuthority } from "../proxy/authority.ts";
import { type ForwardContext, forward } from "../proxy/forward.ts";
import { newReference, sendPage } from "../proxy/page.ts";
import type { Visitor } from "../proxy/visitor.ts";
import { answerChallenge, challengeToken } from "./challenge.ts";

export interface ServeContext extends ForwardContext {
  readonly hosts: HostTable;
  readonly certificates: CertificateSource;
}

/** Whether the name that the handshake was made for is still held under the same claim. */
export function isHeld(hosts: HostTable, host: Host): boolean {
  return hosts.get(host.hostname)?.epoch === host.epoch;
}

/** One request on a secure connection: authorised again, whatever the handshake has found. */
export function serveRequest(
  visitor: Visitor,
  secured: Host,
  isShedding: boolean,
  context: ServeContext,
): void {
  context.stats.requests += 1;
  const authority = parseAuthority(visitor.head.authority);
  if (authority === null) {
    visitor.closeAfter();
    refuse(visitor, 400, context);
    return;
  }
  const host = context.hosts.get(secured.hostname);
  // RFC 9110 §15.5.20: a later claim of the name needs a handshake of its own.
  if (host === null || host.epoch !== secured.epoch) {
    visitor.closeAfter();
    refuse(visitor, 421, context);
    return;
  }
  if (authority.hostname !== secured.hostname) {
    refuse(visitor, 421, context);
    return;
  }
  if (isShedding) {
    context.stats.shed += 1;
    visitor.closeAfter();
    refuse(visitor, 503, context, ["retry-after", "1"]);
    return;
  }
  const token = challengeToken(visitor.head.target);
  if (token === null) forward(visitor, host, context);
  else answerChallenge(visitor, host.hostname, token, context);
}

function refuse(
  visitor: Visitor,
  status: number,
  context: ServeContext,
  fields: readonly string[] = [],
): void {
  const { answered } = context.stats;
  answered.set(status, (answered.get(status) ?? 0) + 1);
  sendPage(visitor, status, { reference: newReference(), fields });
}
