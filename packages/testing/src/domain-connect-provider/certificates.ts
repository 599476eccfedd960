import { createPublicKey } from "node:crypto";
import { createAuthority, issueLeaf } from "../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../edge/src/x509/keys.ts";

export interface TestTls {
  /** The certificate of the authority, which only the tests trust. */
  readonly ca: string;
  readonly tls: { readonly key: string; readonly cert: string };
}

const dayMs = 86_400_000;

/** One certificate for all the names. */
export async function makeTls(hostnames: readonly string[]): Promise<TestTls> {
  const now = Date.now();
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) };
  const authority = await createAuthority({ commonName: "Domain Connect tests", ...validity });
  const key = await generateKey();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const cert = await issueLeaf(authority, { hostnames, publicKey, ...validity });
  return { ca: authority.certificatePem, tls: { key: keyToPem(key), cert } };
}
