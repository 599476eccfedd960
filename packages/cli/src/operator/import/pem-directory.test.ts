import assert from "node:assert/strict";
import { createPublicKey, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { checkImportedCertificate } from "../../../../control/src/domain/certificates/imported-certificate.ts";
import { type Authority, createAuthority, issueLeaf } from "../../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../../edge/src/x509/keys.ts";
import { readPemDirectory } from "./pem-directory.ts";

const day = 86_400_000;

/** Its names are own.example and the URI `http://x/, DNS:victim.example, DNS:second.example`. */
const forgedNames = `-----BEGIN CERTIFICATE-----
MIIBnTCCAUOgAwIBAgIUBGjMICPlj19+qxRhHgd7VTpkuugwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGZm9yZ2VkMCAXDTI2MTExNzIzNDA1OVoYDzIxMjYxMDI0MjM0
MDU5WjARMQ8wDQYDVQQDDAZmb3JnZWQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASZSS8sdfh1b56VUDDJPaaHsAf75NIgJXmH9WFjyWNSpSaGbRNMgz2cylrzjRxC
GTdVEE7E1MLq65JjFpV1LtdBo3cwdTBJBgNVHREEQjBAhjFodHRwOi8veC8sIERO
Uzp2aWN0aW0uZXhhbXBsZSwgRE5TOnNlY29uZC5leGFtcGxlggtvd24uZXhhbXBs
ZTAJBgNVHRMEAjAAMB0GA1UdDgQWBBT3vf5SD8NHmSwHXIiKJ0NoW0VfvjAKBggq
hkjOPQQDAgNIADBFAiAcVzkcmZkq2iSwP9dtTD1Ufa8H3jxJLi3uVX0MC4Q/1gIh
AJoCGwPCyeVi+Sccg3AVjfx2l286GX6JhKdbwM4D+mSi
-----END CERTIFICATE-----`;

describe("readPemDirectory", () => {
  const now = new Date();
  const validity = {
    notBefore: new Date(now.getTime() - day),
    notAfter: new Date(now.getTime() + 60 * day),
  };
  let directory = "";
  let authority: Authority;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-pem-"));
    authority = await createAuthority({ commonName: "Old CA", ...validity });
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it("finds keys by their public key, and the certificate that is valid for longest", async () => {
    const write = async (name: string, days: number, hasKey: boolean, hostname: string) => {
      const key = await generateKey();
      const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
      const notAfter = new Date(now.getTime() + days * day);
      const leaf = await issueLeaf(authority, {
        hostnames: [hostname],
        publicKey,
        ...validity,
        notAfter,
      });
      await mkdir(path.join(directory, "archive"), { recursive: true });
      await writeFile(path.join(directory, "archive", `${name}.pem`), leaf);
      if (hasKey) await writeFile(path.join(directory, `${name}-secret`), keyToPem(key));
    };
    await write("one", 20, true, "shop.acme.com");
    await write("two", 40, true, "shop.acme.com");
    await write("lost", 40, false, "lost.acme.com");
    await mkdir(path.join(directory, "live"));
    await symlink("../archive/two.pem", path.join(directory, "live", "fullchain.pem"));
    const rows = await readPemDirectory(directory);
    const shop = rows.find(({ hostname }) => hostname === "shop.acme.com");
    assert.equal(rows.length, 2);
    assert.match(
      rows.find(({ hostname }) => hostname === "lost.acme.com")?.fault ?? "",
      /no private key/,
    );
    assert.ok(shop?.certificate);
    const roots = [new X509Certificate(authority.certificatePem)];
    const checked = checkImportedCertificate(shop.certificate, "shop.acme.com", roots, now);
    assert.ok(checked.notAfter.getTime() > now.getTime() + 39 * day);
    const { certificate } = shop;
    assert.throws(() => checkImportedCertificate(certificate, "shop.acme.com", [], now), /root/);
    assert.throws(
      () => checkImportedCertificate(certificate, "other.acme.com", roots, now),
      /not for/,
    );
  });

  it("takes no part of another entry of a certificate for a name", async () => {
    const forged = path.join(directory, "forged");
    await mkdir(forged);
    await writeFile(path.join(forged, "chain.pem"), forgedNames);
    const names = (await readPemDirectory(forged)).map(({ hostname }) => hostname);
    assert.deepEqual(names, ["own.example"]);
  });

  it("reads a directory once, however many links lead to it, and no large file or pipe", async () => {
    const looped = path.join(directory, "looped");
    await mkdir(looped);
    for (let link = 0; link < 40; link += 1)
      await symlink(looped, path.join(looped, `link${link}`));
    await symlink("/dev/zero", path.join(looped, "endless"));
    await symlink("nowhere", path.join(looped, "dangling"));
    await writeFile(path.join(looped, "large.pem"), `${forgedNames}${" ".repeat(300_000)}`);
    await writeFile(
      path.join(looped, "noise.pem"),
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
    );
    const rows = await readPemDirectory(looped);
    assert.deepEqual(
      rows.map(({ location, fault }) => [location, fault]),
      [["noise.pem", "contains a certificate that cannot be read"]],
    );
  });

  it("reports each file whose certificate cannot be read, and reads the others", async () => {
    const key = await generateKey();
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    const leaf = await issueLeaf(authority, { hostnames: ["a.example"], publicKey, ...validity });
    // A public key of a kind that nobody knows: 1.2.840.10045.2.7 in place of an EC key's …2.1.
    const odd = Buffer.from(new X509Certificate(leaf).raw);
    odd[odd.indexOf(Buffer.from("06072a8648ce3d0201", "hex")) + 8] = 7;
    const files = {
      "breaks-off.pem": leaf.slice(0, 300),
      "not-base64.pem": "-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----\n",
      "openssl-only.pem": leaf.replaceAll("CERTIFICATE", "TRUSTED CERTIFICATE"),
      "chain-breaks-off.pem": `${leaf}${authority.certificatePem.slice(0, 200)}`,
      "odd-key.pem": `-----BEGIN CERTIFICATE-----\n${odd.toString("base64")}\n-----END CERTIFICATE-----\n`,
      "good.pem": leaf,
      "key.pem": keyToPem(key),
    };
    const broken = path.join(directory, "broken");
    await mkdir(broken);
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(broken, name), text);
    // Reading it fails with EIO.
    await symlink("/proc/self/mem", path.join(broken, "damaged.pem"));
    const rows = await readPemDirectory(broken);
    const good = rows.filter(({ fault }) => fault === null);
    assert.deepEqual(
      good.map(({ location, hostname }) => [location, hostname]),
      [["good.pem", "a.example"]],
    );
    const refused = rows.flatMap(({ location, fault }) =>
      fault === null ? [] : [[location, fault]],
    );
    const unreadable = "contains a certificate that cannot be read";
    assert.deepEqual(refused.sort(), [
      ["breaks-off.pem", unreadable],
      ["chain-breaks-off.pem", unreadable],
      ["damaged.pem", "cannot be read (EIO)"],
      ["not-base64.pem", unreadable],
      ["openssl-only.pem", unreadable],
    ]);
    const alone = path.join(directory, "odd");
    await mkdir(alone);
    await writeFile(path.join(alone, "odd-key.pem"), files["odd-key.pem"]);
    const [row] = await readPemDirectory(alone);
    assert.deepEqual(
      [row?.hostname, row?.fault],
      ["a.example", "the public key of the certificate cannot be read"],
    );
  });

  it("imports nothing by a root that only has the name of a trusted one", async () => {
    const key = await generateKey();
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    const forger = await createAuthority({ commonName: "Old CA", ...validity });
    const leaf = await issueLeaf(forger, { hostnames: ["victim.example"], publicKey, ...validity });
    const roots = [new X509Certificate(authority.certificatePem)];
    for (const certificate of [
      leaf,
      `${leaf}${forger.certificatePem}`,
      `${leaf}${authority.certificatePem}`,
    ]) {
      const material = { certificate, privateKey: keyToPem(key) };
      assert.throws(() => checkImportedCertificate(material, "victim.example", roots, now), {
        code: "invalid",
      });
    }
  });
});
