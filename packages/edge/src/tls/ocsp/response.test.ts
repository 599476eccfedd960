import assert from "node:assert/strict";
import { describe, it } from "node:test";
import recorded from "./fixtures/responses.json" with { type: "json" };
import { InvalidOcspResponse, verifyOcspResponse } from "./response.ts";
import { type OcspSubject, readOcspDemand } from "./subject.ts";

type Chain = keyof typeof recorded.chains;
type Response = keyof typeof recorded.responses;

const dayMs = 86_400_000;
const recordedAt = Date.parse(recorded.recordedAt);

/** Answers of openssl, recorded by `record-ocsp-main.ts` of the tests' package. */
const read = (name: Response): Buffer => Buffer.from(recorded.responses[name], "base64");

function readSubject(name: Chain): OcspSubject {
  const { subject } = readOcspDemand(recorded.chains[name]);
  assert.ok(subject);
  return subject;
}

const verify = (response: Buffer, chain: Chain = "good", aheadMs = 0) =>
  verifyOcspResponse(response, readSubject(chain), new Date(recordedAt + aheadMs));

describe("verification of OCSP responses", () => {
  const believed: readonly [string, Response, Chain, string][] = [
    ["signed by the issuer", "byIssuer", "good", "good"],
    ["signed by the issuer, named by its key", "byIssuerKey", "good", "good"],
    ["signed by a delegate", "byDelegate", "good", "good"],
    ["signed by a delegate, named by its key", "byDelegateKey", "good", "good"],
    ["of a serial number with a leading zero octet", "zero", "zero", "good"],
    ["of a revoked certificate", "revoked", "revoked", "revoked"],
    ["of a certificate that the responder does not know", "unknown", "unknown", "unknown"],
  ];
  for (const [what, response, chain, status] of believed) {
    it(`believes one ${what}`, () => {
      const answer = verify(read(response), chain);
      assert.equal(answer.status, status);
      const leftMs = answer.staleAt.getTime() - recordedAt;
      assert.ok(leftMs > 6.9 * dayMs && leftMs < 7 * dayMs, `${leftMs} ms are left`);
    });
  }

  const refused: readonly [string, RegExp, () => Buffer, number?][] = [
    ["about another certificate", /about another certificate/, () => read("revoked")],
    ["of another CA of the same name", /about another certificate/, () => read("otherAuthority")],
    [
      "signed by a certificate that is not for it",
      /may not sign responses/,
      () => read("byStranger"),
    ],
    [
      "signed by a delegate of another CA",
      /not appointed by the issuer/,
      () => read("byOtherDelegate"),
    ],
    ["without the certificate of its delegate", /signer is missing/, () => read("withoutDelegate")],
    ["signed with SHA-1", /algorithm is not accepted/, () => read("sha1")],
    [
      "with a wrong signature",
      /signature is wrong/,
      () => {
        const response = read("withoutIssuer");
        response.writeUInt8(response.readUInt8(response.length - 1) ^ 1, response.length - 1);
        return response;
      },
    ],
    ["without an end", /does not say when it ends/, () => read("endless")],
    ["that has ended", /out of date/, () => read("byIssuer"), 7 * dayMs],
    ["that begins later", /not valid yet/, () => read("byIssuer"), -120_000],
    ["whose delegate has expired", /not valid now/, () => read("longByDelegate"), 21 * dayMs],
    ["that is an error", /answered: tryLater/, () => Buffer.from([0x30, 0x03, 0x0a, 0x01, 0x03])],
    ["that is no ASN.1", /cannot be read/, () => Buffer.from("<html>busy</html>")],
    ["that is empty", /cannot be read/, () => Buffer.alloc(0)],
    ["that is cut", /cannot be read/, () => read("byIssuer").subarray(0, 100)],
  ];
  for (const [what, message, response, aheadMs] of refused) {
    it(`refuses one ${what}`, () => {
      assert.throws(
        () => verify(response(), "good", aheadMs),
        (error) => error instanceof InvalidOcspResponse && message.test(error.message),
      );
    });
  }
});
