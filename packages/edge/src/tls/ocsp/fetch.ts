import { EgressError, type Guard } from "@mooring/egress";
import { encodeOcspRequest } from "./request.ts";
import { InvalidOcspResponse } from "./response.ts";
import type { OcspSubject } from "./subject.ts";

/** A response has some 500 bytes, with the certificate of its signer some 2,000. */
const limits = { connectTimeoutMs: 3_000, totalTimeoutMs: 5_000, maxBytes: 16_384 } as const;

/** The responder could not be asked, or its answer was no OCSP response. */
export class OcspUnreachable extends Error {
  override readonly name = "OcspUnreachable";
}

/**
 * Asks the responder that the leaf names and returns the response as it came, not verified. A
 * customer may have chosen the URL, so it passes the egress policy. Plain HTTP is the rule: the
 * response is signed.
 */
export async function fetchOcspResponse(
  guard: Pick<Guard, "request">,
  subject: OcspSubject,
  signal: AbortSignal,
): Promise<Buffer> {
  const response = await guard
    .request(subject.url, {
      ...limits,
      signal,
      method: "POST",
      headers: {
        "content-type": "application/ocsp-request",
        accept: "application/ocsp-response",
      },
      body: encodeOcspRequest(subject),
    })
    .catch((error: unknown) => {
      if (!(error instanceof EgressError)) throw error;
      throw new OcspUnreachable("the responder cannot be reached", { cause: error });
    });
  if (response.status !== 200) {
    throw new OcspUnreachable(`the responder answered with status ${response.status}`);
  }
  if (response.truncated) throw new InvalidOcspResponse("it is too large");
  return response.body;
}
