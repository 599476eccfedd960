import type { CertificateSource } from "../certificate-source.ts";
import type { HostTable } from "../host.ts";
import type { Log } from "../log.ts";
import type { EdgeStats } from "../metrics.ts";
import { type Authority, parseAuthority } from "../proxy/authority.ts";
import { newReference, sendPage } from "../proxy/page.ts";
import type { Visitor } from "../proxy/visitor.ts";
import { answerChallenge, challengeToken } from "./challenge.ts";

export interface PlainContext {
  readonly hosts: HostTable;
  readonly certificates: CertificateSource;
  readonly stats: EdgeStats;
  readonly log: Log;
  readonly httpsPort: () => number;
}

/** One request on the port without TLS: a challenge's answer, or the way to https. */
export function servePlainRequest(visitor: Visitor, context: PlainContext): void {
  context.stats.requests += 1;
  const { head } = visitor;
  const authority = parseAuthority(head.authority);
  if (authority === null) {
    visitor.closeAfter();
    sendPage(visitor, 400, { reference: newReference() });
    return;
  }
  const token = challengeToken(head.target);
  if (token !== null) answerChallenge(visitor, authority.hostname, token, context);
  else if (context.hosts.get(authority.hostname) === null) {
    visitor.closeAfter();
    sendPage(visitor, 421, { reference: newReference() });
  } else redirect(visitor, authority, context.httpsPort());
}

function redirect(visitor: Visitor, authority: Authority, httpsPort: number): void {
  // A visitor who names a port reaches the listener directly; others come through port 80, whose
  // sibling is 443 whatever port this process listens on.
  const isDirect = authority.port !== null && authority.port !== 80 && httpsPort !== 443;
  const host = isDirect ? `${authority.hostname}:${httpsPort}` : authority.hostname;
  const path = visitor.head.target === "*" ? "/" : visitor.head.target;
  visitor.respond({
    status: 308,
    reason: "Permanent Redirect",
    fields: ["location", `https://${host}${path}`, "cache-control", "max-age=300"],
    length: 0,
    hasBody: visitor.head.method !== "HEAD",
  });
  visitor.end([]);
}
