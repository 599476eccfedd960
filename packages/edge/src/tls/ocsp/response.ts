import "../../x509/reflect-metadata.ts";
import {
  BasicOCSPResponse,
  id_pkix_ocsp_basic,
  OCSPResponse,
  OCSPResponseStatus,
  type SingleResponse,
} from "@peculiar/asn1-ocsp";
import { AsnConvert } from "@peculiar/asn1-schema";
import { matchesId } from "./request.ts";
import { signatureFault } from "./signer.ts";
import type { OcspSubject } from "./subject.ts";

export type OcspStatus = "good" | "revoked" | "unknown";

/** What a genuine and current response says about the leaf. */
export interface OcspAnswer {
  readonly status: OcspStatus;
  /** When the response must no longer be stapled. */
  readonly staleAt: Date;
}

/** A response that proves nothing: malformed, forged, of another certificate, or out of date. */
export class InvalidOcspResponse extends Error {
  override readonly name = "InvalidOcspResponse";
}

/**
 * Clocks differ by this: a response may be so much younger than our time, and is stapled until so
 * long before its end, since a visitor's clock may be ahead.
 */
const skewMs = 60_000;

/** Throws InvalidOcspResponse unless the response may be believed at `now`. */
export function verifyOcspResponse(der: Buffer, subject: OcspSubject, now: Date): OcspAnswer {
  const response = parse(der);
  const { responses } = response.tbsResponseData;
  const single = responses.find(({ certID }) => matchesId(subject, certID));
  if (single === undefined) throw new InvalidOcspResponse("it is about another certificate");
  // Certificates and signatures in the response may be malformed too.
  const fault = readable(() => signatureFault(response, subject.issuer, now));
  if (fault !== null) throw new InvalidOcspResponse(fault);
  return { status: readStatus(single), staleAt: computeStaleAt(single, now) };
}

function parse(der: Buffer): BasicOCSPResponse {
  const outer = readable(() => AsnConvert.parse(der, OCSPResponse));
  if (outer.responseStatus !== OCSPResponseStatus.successful) {
    const name = OCSPResponseStatus[outer.responseStatus] ?? "not successful";
    throw new InvalidOcspResponse(`the responder answered: ${name}`);
  }
  const bytes = outer.responseBytes;
  if (bytes?.responseType !== id_pkix_ocsp_basic) {
    throw new InvalidOcspResponse("it is not a basic response");
  }
  return readable(() => AsnConvert.parse(bytes.response.buffer, BasicOCSPResponse));
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidOcspResponse("it cannot be read", { cause: error });
  }
}

function readStatus({ certStatus }: SingleResponse): OcspStatus {
  if (certStatus.revoked !== undefined) return "revoked";
  return certStatus.good === null ? "good" : "unknown";
}

/**
 * Without `nextUpdate` nobody can say how long the response is true (RFC 5019 §2.2.4 demands it).
 */
function computeStaleAt({ thisUpdate, nextUpdate }: SingleResponse, now: Date): Date {
  if (nextUpdate === undefined) throw new InvalidOcspResponse("it does not say when it ends");
  if (thisUpdate.getTime() - skewMs > now.getTime()) {
    throw new InvalidOcspResponse("it is not valid yet");
  }
  const staleAt = new Date(nextUpdate.getTime() - skewMs);
  if (staleAt <= now) throw new InvalidOcspResponse("it is out of date");
  return staleAt;
}
