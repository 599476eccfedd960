import assert from "node:assert/strict";
import { createPublicKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { describe, it } from "node:test";
import { connect, createServer } from "node:tls";
import { createAuthority, issueLeaf } from "./authority.ts";
import { generateKey, keyFromPem, keyToPem } from "./keys.ts";

const dayMs = 86_400_000;

describe("the local authority", () => {
  const now = Date.now();
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) };

  it("issues certificates that a client trusts for that name and no other", async () => {
    const authority = await createAuthority({ commonName: "Own CA", ...validity });
    const key = await generateKey();
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    const cert = await issueLeaf(authority, { hostnames: ["a.example"], publicKey, ...validity });
    const server = createServer({ cert, key: keyToPem(key) }, (socket) => socket.end());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      assert.ok(address !== null && typeof address === "object");
      const ca = authority.certificatePem;
      const dial = async (servername: string) => {
        const socket = connect({ host: "127.0.0.1", port: address.port, ca, servername });
        try {
          await once(socket, "secureConnect");
        } finally {
          socket.destroy();
        }
      };
      await dial("a.example");
      await assert.rejects(dial("b.example"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    } finally {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });

  it("marks itself as an authority and its certificates as none", async () => {
    const authority = await createAuthority({ commonName: "Own CA", ...validity });
    const publicKey = createPublicKey(await generateKey()).export({ type: "spki", format: "der" });
    const leaf = await issueLeaf(authority, { addresses: ["127.0.0.1"], publicKey, ...validity });
    assert.equal(new X509Certificate(authority.certificatePem).ca, true);
    const certificate = new X509Certificate(leaf);
    assert.equal(certificate.ca, false);
    assert.equal(certificate.checkIP("127.0.0.1"), "127.0.0.1");
    assert.ok(certificate.checkIssued(new X509Certificate(authority.certificatePem)));
  });

  it("refuses a certificate without a name", async () => {
    const authority = await createAuthority({ commonName: "Own CA", ...validity });
    const publicKey = createPublicKey(authority.key).export({ type: "spki", format: "der" });
    await assert.rejects(issueLeaf(authority, { publicKey, ...validity }), TypeError);
  });
});

describe("keyFromPem", () => {
  it("reads back what keyToPem wrote, and refuses everything else without repeating it", async () => {
    const key = await generateKey();
    assert.ok(keyFromPem(keyToPem(key)).equals(key));
    const secret = keyToPem(key).replace("BEGIN", "BEGAN");
    assert.throws(() => keyFromPem(secret), {
      name: "TypeError",
      message: "not a private key on P-256 in PEM",
    });
  });
});
