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
});
