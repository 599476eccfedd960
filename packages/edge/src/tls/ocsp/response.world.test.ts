import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createOcspAuthority, type OcspAuthority } from "@mooring/testing/edge/ocsp-authority";
import { encodeOcspRequest } from "./request.ts";
import { InvalidOcspResponse, verifyOcspResponse } from "./response.ts";
import { type OcspSubject, readOcspDemand } from "./subject.ts";

const dayMs = 86_400_000;
const responder = "authorityInfoAccess=OCSP;URI:http://ocsp.example/";
const week = ["-ndays", "7"];

describe("verification of OCSP responses", () => {
  let authority: OcspAuthority;
  let other: OcspAuthority;
  const subjects = new Map<number, OcspSubject>();
  before(async () => {
    authority = await createOcspAuthority("Test CA");
    // Of the same name: only its key tells it from the other.
    other = await createOcspAuthority("Test CA");
    for (const serial of [4097, 4098, 4099, 200]) {
      const { cert } = await authority.issue(`leaf${serial}`, serial, [responder]);
      const { subject } = readOcspDemand(cert + authority.cert);
      assert.ok(subject);
      subjects.set(serial, subject);
    }
    await authority.setStatus({ 4097: "V", 4098: "R", 200: "V" });
    await other.setStatus({ 4097: "V" });
    await authority.issue("delegate", 10, ["extendedKeyUsage=OCSPSigning"]);
    await authority.issue("stranger", 11, ["extendedKeyUsage=serverAuth"]);
  });
  after(async () => {
    await authority.remove();
    await other.remove();
  });

  const subjectOf = (serial: number): OcspSubject => {
    const subject = subjects.get(serial);
    assert.ok(subject);
    return subject;
  };
  const request = (serial = 4097): Buffer => encodeOcspRequest(subjectOf(serial));
  const verify = (response: Buffer, serial = 4097, aheadMs = 0) =>
    verifyOcspResponse(response, subjectOf(serial), new Date(Date.now() + aheadMs));

  const believed: readonly [string, number, readonly string[], string, string][] = [
    ["signed by the issuer", 4097, week, "ca", "good"],
    ["signed by the issuer, named by its key", 4097, [...week, "-resp_key_id"], "ca", "good"],
    ["signed by a delegate", 4097, week, "delegate", "good"],
    ["signed by a delegate, named by its key", 4097, [...week, "-resp_key_id"], "delegate", "good"],
    ["of a serial number with a leading zero octet", 200, week, "ca", "good"],
    ["of a revoked certificate", 4098, week, "ca", "revoked"],
    ["of a certificate that the responder does not know", 4099, week, "ca", "unknown"],
  ];
  for (const [what, serial, options, signer, status] of believed) {
    it(`believes one ${what}`, async () => {
      const response = await authority.respond(request(serial), options, signer);
      const answer = verify(response, serial);
      assert.equal(answer.status, status);
      const leftMs = answer.staleAt.getTime() - Date.now();
      assert.ok(leftMs > 6.9 * dayMs && leftMs < 7 * dayMs, `${leftMs} ms are left`);
    });
  }

  const refused: readonly [string, RegExp, () => Promise<Buffer>, number?][] = [
    [
      "about another certificate",
      /about another certificate/,
      () => authority.respond(request(4098), week),
    ],
    [
      "of another CA of the same name",
      /about another certificate/,
      async () => {
        const { cert } = await other.issue("same", 4097, [responder]);
        const { subject } = readOcspDemand(cert + other.cert);
        assert.ok(subject);
        return await other.respond(encodeOcspRequest(subject), week);
      },
    ],
    [
      "signed by a certificate that is not for it",
      /may not sign responses/,
      () => authority.respond(request(), week, "stranger"),
    ],
    [
      "signed by a delegate of another CA",
      /not appointed by the issuer/,
      async () => {
        const pair = await other.issue("elsewhere", 12, ["extendedKeyUsage=OCSPSigning"]);
        await authority.adopt("elsewhere", pair);
        return await authority.respond(request(), week, "elsewhere");
      },
    ],
    [
      "without the certificate of its delegate",
      /signer is missing/,
      () => authority.respond(request(), [...week, "-resp_no_certs"], "delegate"),
    ],
    [
      "signed with SHA-1",
      /algorithm is not accepted/,
      () => authority.respond(request(), [...week, "-rmd", "sha1"]),
    ],
    [
      "with a wrong signature",
      /signature is wrong/,
      async () => {
        const response = await authority.respond(request(), [...week, "-resp_no_certs"]);
        response.writeUInt8(response.readUInt8(response.length - 1) ^ 1, response.length - 1);
        return response;
      },
    ],
    ["without an end", /does not say when it ends/, () => authority.respond(request(), [])],
    ["that has ended", /out of date/, () => authority.respond(request(), week), 7 * dayMs],
    ["that begins later", /not valid yet/, () => authority.respond(request(), week), -120_000],
    [
      "whose delegate has expired",
      /not valid now/,
      () => authority.respond(request(), ["-ndays", "40"], "delegate"),
      21 * dayMs,
    ],
    [
      "that is an error",
      /answered: tryLater/,
      async () => Buffer.from([0x30, 0x03, 0x0a, 0x01, 0x03]),
    ],
    ["that is no ASN.1", /cannot be read/, async () => Buffer.from("<html>busy</html>")],
    ["that is empty", /cannot be read/, async () => Buffer.alloc(0)],
    [
      "that is cut",
      /cannot be read/,
      async () => (await authority.respond(request(), week)).subarray(0, 100),
    ],
  ];
  for (const [what, message, respond, aheadMs] of refused) {
    it(`refuses one ${what}`, async () => {
      const response = await respond();
      assert.throws(
        () => verify(response, 4097, aheadMs),
        (error) => error instanceof InvalidOcspResponse && message.test(error.message),
      );
    });
  }
});
