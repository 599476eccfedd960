import { createHash, type X509Certificate } from "node:crypto";
import type { Probe } from "../../domain/probe.ts";

/** What a peer whose chain was verified shows, checked again for this name and this time. */
export function readPeer(
  peer: X509Certificate | undefined,
  expected: { readonly hostname: string; readonly now: Date },
): Probe {
  if (peer === undefined) return { outcome: "invalid", reason: "no_certificate" };
  const { validFromDate: notBefore, validToDate: notAfter } = peer;
  if (peer.checkHost(expected.hostname) === undefined) {
    return { outcome: "invalid", reason: "wrong_name" };
  }
  if (notAfter <= expected.now) return { outcome: "invalid", reason: "expired" };
  const issueId = idOf(peer.raw);
  return {
    outcome: "valid",
    certificate: { ca: issuerOf(peer.issuer), notBefore, notAfter, issueId },
  };
}

/** The issuer's organisation or, without one, its common name; Node gives a line each. */
function issuerOf(issuer: string): string {
  const field = (name: string): string | undefined =>
    issuer
      .split("\n")
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  return field("O") ?? field("CN") ?? "";
}

/** A UUID of the certificate's own bytes (RFC 9562 §5.8). */
function idOf(der: Buffer): string {
  const bytes = createHash("sha256").update(der).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
