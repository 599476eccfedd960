import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, describe, it } from "node:test";
import { OpensslAuthority } from "@mooring/testing/control/openssl-certificates";
import { AppError } from "../errors.ts";
import { checkOwnCertificate, replaceOwnAt, warnOwnAt } from "./own-certificate.ts";

const hostname = "shop.acme.example";
const day = 86_400_000;

describe("an own certificate", () => {
  const authority = new OpensslAuthority();
  after(() => authority.close());
  const now = new Date(Date.now() + 60_000);

  function check(chain: readonly string[], key: string, at = now) {
    return checkOwnCertificate({ certificate: chain.join("\n"), privateKey: key }, hostname, at);
  }

  /** What is wrong, one line for each issue. */
  function wrongs(chain: readonly string[], key: string, at = now): string {
    try {
      check(chain, key, at);
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === "invalid");
      const { issues } = error.details as { issues: { path: string; message: string }[] };
      assert.ok(!JSON.stringify([issues, String(error.cause)]).includes(key.slice(60, 100)));
      return issues.map(({ path, message }) => `${path}: ${message}`).join("\n");
    }
    return "";
  }

  for (const [name, key] of [
    ["ECDSA on P-256", ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]],
    ["ECDSA on P-384", ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"]],
    ["RSA of 2048 bits", ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]],
  ] as const) {
    it(`is taken with a key of ${name}, with its chain`, () => {
      const leaf = authority.leaf({ key });
      const own = check([leaf.certificate, authority.intermediate.certificate], leaf.key);
      const parsed = new X509Certificate(leaf.certificate);
      assert.equal(own.ca, "Test CA");
      assert.equal(own.fingerprint, parsed.fingerprint256.replaceAll(":", "").toLowerCase());
      assert.deepEqual(own.notAfter, parsed.validToDate);
      assert.equal(own.chain.match(/BEGIN CERTIFICATE/g)?.length, 2);
      assert.match(own.privateKey, /^-----BEGIN PRIVATE KEY-----/);
    });
  }

  it("may be for a wildcard, and have its root", () => {
    const leaf = authority.leaf({ names: ["acme.example", "*.acme.example"] });
    const { intermediate, root } = authority;
    check([leaf.certificate, intermediate.certificate, root.certificate], leaf.key);
    check([leaf.certificate], leaf.key);
  });

  it("is refused with the key of another, and with an encrypted or unreadable one", () => {
    const [leaf, other] = [authority.leaf(), authority.leaf()];
    assert.match(
      wrongs([leaf.certificate], other.key),
      /^private_key: is not the key of the first/,
    );
    const encrypted = leaf.key.replaceAll("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    assert.match(wrongs([leaf.certificate], encrypted), /^private_key: is encrypted/);
    assert.match(
      wrongs([leaf.certificate], leaf.certificate),
      /^private_key: is not a private key/,
    );
  });

  it("is refused for another name", () => {
    const leaf = authority.leaf({ names: ["acme.example", "*.shop.acme.example"] });
    assert.match(wrongs([leaf.certificate], leaf.key), /^certificate: is not for shop\.acme\.ex/);
  });

  it("is refused out of order, with a foreign issuer, and with one that is no CA", () => {
    const [leaf, other] = [authority.leaf(), authority.leaf()];
    const { intermediate, root } = authority;
    const swapped = [intermediate.certificate, leaf.certificate];
    assert.match(
      wrongs(swapped, leaf.key),
      /certificate: the certificate is followed by one that is not a CA/,
    );
    const gap = [leaf.certificate, root.certificate];
    assert.match(wrongs(gap, leaf.key), /certificate: the certificate is not signed by the next/);
    const twice = [leaf.certificate, other.certificate];
    assert.match(wrongs(twice, leaf.key), /the certificate is followed by one that is not a CA/);
  });

  it("is refused before and after its time", () => {
    const leaf = authority.leaf();
    const late = new Date(now.getTime() + 91 * day);
    assert.match(wrongs([leaf.certificate], leaf.key, late), /the certificate has expired/);
    const early = new Date(now.getTime() - day);
    assert.match(wrongs([leaf.certificate], leaf.key, early), /is not valid yet/);
  });

  it("is refused with a weak, slow or unusual key", () => {
    for (const [key, message] of [
      [["RSA", "-pkeyopt", "rsa_keygen_bits:1024"], /private_key: has 1024 bits/],
      [["EC", "-pkeyopt", "ec_paramgen_curve:P-521"], /private_key: must be RSA, or ECDSA/],
      [["ED25519"], /private_key: must be RSA, or ECDSA/],
    ] as const) {
      const leaf = authority.leaf({ key });
      assert.match(wrongs([leaf.certificate], leaf.key), message);
    }
  });

  it("is refused with a broken signature, unreadable, too long, or not for servers", () => {
    const old = authority.leaf({ digest: "sha1" });
    assert.match(
      wrongs([old.certificate], old.key),
      /is signed with ecdsa-with-SHA1, a broken one/,
    );
    const client = authority.leaf({ extensions: ["extendedKeyUsage=clientAuth"] });
    assert.match(wrongs([client.certificate], client.key), /is not for TLS servers/);
    assert.match(wrongs(["nothing"], old.key), /^certificate: is not a certificate in PEM/);
    const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
    assert.match(wrongs([broken], old.key), /cannot be read/);
    const many = Array.from({ length: 11 }, () => old.certificate);
    assert.match(wrongs(many, old.key), /has more than 10 certificates/);
  });

  it("is warned about in its last third, at most 30 days, and replaced in time", () => {
    const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * day);
    const of = (days: number) => ({ notBefore: at(0), notAfter: at(days) });
    assert.deepEqual([warnOwnAt(of(90)), replaceOwnAt(of(90))], [at(60), at(83)]);
    assert.deepEqual([warnOwnAt(of(396)), replaceOwnAt(of(396))], [at(366), at(389)]);
    assert.deepEqual([warnOwnAt(of(9)), replaceOwnAt(of(9))], [at(6), at(8)]);
  });
});
