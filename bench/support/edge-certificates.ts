import { createPublicKey } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createAuthority, issueLeaf } from "../../packages/edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../packages/edge/src/x509/keys.ts";

export interface BenchCertificate {
  readonly hostname: string;
  readonly chain: string;
  readonly key: string;
}

const dayMs = 86_400_000;

/** ECDSA P-256 certificates of one authority, one per name; the chain includes the authority. */
export async function makeCertificates(names: readonly string[]): Promise<BenchCertificate[]> {
  const validity = {
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 89 * dayMs),
  };
  const authority = await createAuthority({ commonName: "Bench", ...validity });
  const made: BenchCertificate[] = [];
  for (const hostname of names) {
    const key = await generateKey();
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    const leaf = await issueLeaf(authority, { hostnames: [hostname], publicKey, ...validity });
    made.push({ hostname, chain: leaf + authority.certificatePem, key: keyToPem(key) });
  }
  return made;
}

/** In the layout that nginx reads: files by name. */
export async function writeForNginx(
  directory: string,
  certificates: readonly BenchCertificate[],
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const { hostname, chain, key } of certificates) {
    await writeFile(path.join(directory, `${hostname}.crt`), chain);
    await writeFile(path.join(directory, `${hostname}.key`), key);
  }
}

/** In the layout of Caddy's storage, as if Caddy had ordered them from the CA at `directoryUrl`. */
export async function writeForCaddy(
  storage: string,
  directoryUrl: string,
  certificates: readonly BenchCertificate[],
): Promise<void> {
  const { host, pathname } = new URL(directoryUrl);
  const issuer = `${host}${pathname.replaceAll("/", "-")}`.replaceAll(":", "-");
  for (const { hostname, chain, key } of certificates) {
    const folder = path.join(storage, "certificates", issuer, hostname);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${hostname}.crt`), chain);
    await writeFile(path.join(folder, `${hostname}.key`), key);
    const facts = { sans: [hostname], issuer_data: {} };
    await writeFile(path.join(folder, `${hostname}.json`), JSON.stringify(facts));
  }
}
