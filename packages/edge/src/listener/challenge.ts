import type { CertificateSource } from "../certificate-source.ts";
import type { Log } from "../log.ts";
import { newReference, sendPage } from "../proxy/page.ts";
import type { Visitor } from "../proxy/visitor.ts";

const challengePrefix = "/.well-known/acme-challenge/";

/**
 * What follows the path of HTTP-01 challenges (RFC 8555 §8.3), null for other targets. No request
 * below that path reaches an origin, which could otherwise get a certificate of its own.
 */
export function challengeToken(target: string): string | null {
  return target.startsWith(challengePrefix)
    ? (target.slice(challengePrefix.length).split("?")[0] ?? "")
    : null;
}

export function answerChallenge(
  visitor: Visitor,
  hostname: string,
  token: string,
  context: { readonly certificates: CertificateSource; readonly log: Log },
): void {
  lookUp(hostname, token, context.certificates).then(
    (answer) => {
      if (answer === null) sendPage(visitor, 404, { reference: newReference() });
      else sendText(visitor, answer);
    },
    (error: unknown) => {
      const reference = newReference();
      context.log.error({ host: hostname, reference, err: error }, "challenge look-up failed");
      sendPage(visitor, 503, { reference, fields: ["retry-after", "1"] });
    },
  );
}

async function lookUp(
  hostname: string,
  token: string,
  certificates: CertificateSource,
): Promise<string | null> {
  const isWellFormed = /^[A-Za-z0-9_-]{1,128}$/.test(token);
  return isWellFormed ? await certificates.challengeResponse(hostname, token) : null;
}

function sendText(visitor: Visitor, text: string): void {
  const body = Buffer.from(text);
  const hasBody = visitor.head.method !== "HEAD";
  visitor.respond({
    status: 200,
    reason: "OK",
    fields: ["content-type", "application/octet-stream", "cache-control", "no-store"],
    length: body.length,
    hasBody,
  });
  if (hasBody) visitor.write(body);
  visitor.end([]);
}
