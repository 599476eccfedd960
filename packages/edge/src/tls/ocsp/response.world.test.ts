import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createOcspAuthority, type OcspAuthority } from "@mooring/testing/edge/ocsp-authority";
import { encodeOcspRequest } from "./request.ts";
import { verifyOcspResponse } from "./response.ts";
import { type OcspSubject, readOcspDemand } from "./subject.ts";

const dayMs = 86_400_000;
const responder = "authorityInfoAccess=OCSP;URI:http://ocsp.example/";
const week = ["-ndays", "7"];

describe("verification of responses of openssl", () => {
  let authority: OcspAuthority;
  const subjects = new Map<number, OcspSubject>();
  before(async () => {
    authority = await createOcspAuthority("Test CA");
    for (const serial of [4097, 4098, 4099, 200]) {
      const { cert } = await authority.issue(`leaf${serial}`, serial, [responder]);
      const { subject } = readOcspDemand(cert + authority.cert);
      assert.ok(subject);
      subjects.set(serial, subject);
    }
    await authority.setStatus({ 4097: "V", 4098: "R", 200: "V" });
    await authority.issue("delegate", 10, ["extendedKeyUsage=OCSPSigning"]);
  });
  after(() => authority.remove());

  const findSubject = (serial: number): OcspSubject => {
    const subject = subjects.get(serial);
    assert.ok(subject);
    return subject;
  };

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
      const subject = findSubject(serial);
      const response = await authority.respond(encodeOcspRequest(subject), options, signer);
      const answer = verifyOcspResponse(response, subject, new Date());
      assert.equal(answer.status, status);
      const leftMs = answer.staleAt.getTime() - Date.now();
      assert.ok(leftMs > 6.9 * dayMs && leftMs < 7 * dayMs, `${leftMs} ms are left`);
    });
  }
});
