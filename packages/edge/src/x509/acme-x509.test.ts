import assert from "node:assert/strict";
import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { readCsr } from "@mooring/testing/edge/read-csr";
import { createCsr, createTlsAlpnCertificate } from "./acme-x509.ts";
import { generateKey, keyFromPem } from "./keys.ts";

describe("createCsr", () => {
  it("is signed by its key and names the host as alternative name alone", async () => {
    const key = await generateKey();
    const hostname = `${"long-label.".repeat(10)}example`;
    const request = await readCsr(await createCsr(hostname, key));
    assert.equal(request.subject, "");
    assert.deepEqual(request.hostnames, [hostname]);
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    assert.deepEqual(request.publicKey, publicKey);
  });
});

describe("createTlsAlpnCertificate", () => {
  it("holds the one name and the critical digest that RFC 8737 §3 asks for", async () => {
    const now = new Date("2026-11-15T00:00:00Z");
    const answer = await createTlsAlpnCertificate("a.example", "token.thumbprint", now);
    const certificate = new X509Certificate(answer.certificatePem);
    assert.equal(certificate.subjectAltName, "DNS:a.example");
    assert.ok(certificate.verify(certificate.publicKey));
    assert.ok(certificate.publicKey.equals(createPublicKey(keyFromPem(answer.keyPem))));
    assert.ok(certificate.validFromDate < now && now < certificate.validToDate);

    const digest = createHash("sha256").update("token.thumbprint").digest("hex");
    // OID 1.3.6.1.5.5.7.1.31, critical TRUE, OCTET STRING of an OCTET STRING of 32 octets.
    const extension = `06082b0601050507011f0101ff04220420${digest}`;
    assert.ok(certificate.raw.toString("hex").includes(extension));
  });
});
