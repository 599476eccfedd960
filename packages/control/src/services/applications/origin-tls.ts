import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { SealContext, Vault } from "@mooring/vault";
import { z } from "zod";
import type { Application, OriginTls } from "../../domain/applications/application.ts";
import { type Issue, invalid } from "../../domain/errors.ts";

const maxPem = 65_536;
const maxCertificates = 32;

const name = z
  .string()
  .toLowerCase()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    "expected a hostname",
  );

function pem(what: string) {
  return z
    .string()
    .max(maxPem)
    .regex(/-----BEGIN [A-Z0-9 ]+-----/, `expected ${what} as PEM`);
}

/** As the API takes it: keys that are not given stay, null removes. */
export const OriginTlsChanges = z
  .strictObject({
    ca: pem("certificates")
      .nullable()
      .describe(
        "CAs that may have issued the origins' certificates, instead of the public ones; PEM",
      ),
    client_certificate: pem("a certificate")
      .nullable()
      .describe("What the edge shows to the origins, with its chain; PEM. Needs client_key"),
    client_key: pem("a private key")
      .nullable()
      .describe("The key of client_certificate; PEM. It is stored sealed and never returned"),
    server_name: name.nullable().describe("SNI, instead of the name in the URL"),
    verify_name: name
      .nullable()
      .describe("The name that the origins' certificates must have, instead of server_name"),
  })
  .partial()
  .describe("TLS to the origins; keys that are not given stay, null removes");
export type OriginTlsChanges = z.infer<typeof OriginTlsChanges>;

const CertificateFacts = z.object({
  fingerprint: z.string().describe("SHA-256, as openssl x509 -fingerprint -sha256 shows it"),
  not_after: z.iso.datetime(),
});

/** As the API shows it: no PEM, and nothing of the key. */
export const OriginTlsBody = z
  .object({
    ca: z.array(CertificateFacts).nullable(),
    client_certificate: CertificateFacts.nullable(),
    server_name: z.string().nullable(),
    verify_name: z.string().nullable(),
  })
  .meta({ id: "OriginTls" });

export function originTlsBody(tls: OriginTls): z.input<typeof OriginTlsBody> {
  const [leaf] = tls.clientCertificate === null ? [] : certificatesIn(tls.clientCertificate);
  return {
    ca: tls.ca === null ? null : certificatesIn(tls.ca).map(certificateFacts),
    client_certificate: leaf === undefined ? null : certificateFacts(leaf),
    server_name: tls.serverName,
    verify_name: tls.verifyName,
  };
}

function certificateFacts(certificate: X509Certificate): z.infer<typeof CertificateFacts> {
  return {
    fingerprint: certificate.fingerprint256,
    not_after: certificate.validToDate.toISOString(),
  };
}

/** The settings after the changes. */
export function changeOriginTls(tls: OriginTls, changes: OriginTlsChanges): OriginTls {
  const { ca, client_certificate: certificate, server_name, verify_name } = changes;
  return {
    ca: ca === undefined ? tls.ca : ca,
    clientCertificate: certificate === undefined ? tls.clientCertificate : certificate,
    serverName: server_name === undefined ? tls.serverName : server_name,
    verifyName: verify_name === undefined ? tls.verifyName : verify_name,
  };
}

/** Throws `invalid` for certificates and keys that no handshake could use. */
export function requireUsableTls(changes: OriginTlsChanges, now: Date): void {
  const issues = [...caIssues(changes.ca ?? null), ...clientIssues(changes, now)];
  if (issues.length > 0) {
    throw invalid(issues.map(({ path, message }) => ({ path: `origin_tls.${path}`, message })));
  }
}

function caIssues(ca: string | null): readonly Issue[] {
  if (ca === null || parseCertificates(ca) !== null) return [];
  return [{ path: "ca", message: `expected 1 to ${maxCertificates} certificates as PEM` }];
}

function clientIssues(changes: OriginTlsChanges, now: Date): readonly Issue[] {
  const { client_certificate: certificate, client_key: key } = changes;
  if (certificate === undefined && key === undefined) return [];
  if ((certificate ?? null) === null && (key ?? null) === null) {
    // A key without its certificate is of no use: both go.
    return certificate === undefined
      ? [{ path: "client_certificate", message: "is removed together with client_key" }]
      : [];
  }
  if (!certificate) {
    return [{ path: "client_certificate", message: "is needed together with client_key" }];
  }
  if (!key) return [{ path: "client_key", message: "is needed together with client_certificate" }];
  const [leaf] = parseCertificates(certificate) ?? [];
  if (leaf === undefined) {
    return [
      { path: "client_certificate", message: "expected a certificate with its chain as PEM" },
    ];
  }
  if (leaf.validToDate <= now) return [{ path: "client_certificate", message: "has expired" }];
  const privateKey = privateKeyIn(key);
  if (privateKey === null) {
    return [{ path: "client_key", message: "expected a private key as PEM, without passphrase" }];
  }
  if (leaf.checkPrivateKey(privateKey)) return [];
  return [{ path: "client_key", message: "does not belong to client_certificate" }];
}

function privateKeyIn(text: string): KeyObject | null {
  try {
    return createPrivateKey(text);
  } catch {
    return null;
  }
}

/** Null when one cannot be read, or there are none or too many. */
function parseCertificates(text: string): readonly X509Certificate[] | null {
  try {
    const found = certificatesIn(text);
    return found.length > 0 && found.length <= maxCertificates ? found : null;
  } catch {
    return null;
  }
}

function certificatesIn(text: string): readonly X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** Where the private key is stored; the edge opens it there. */
export function clientKeyContext(tenantId: string, applicationId: string): SealContext {
  return {
    tenant: tenantId,
    table: "applications",
    row: applicationId,
    column: "sealed_client_key",
  };
}

/** The sealed key that a request sets; null removes it, undefined leaves it. */
export function sealClientKey(
  vault: Vault,
  { tenantId, id }: Pick<Application, "tenantId" | "id">,
  changes: OriginTlsChanges,
): string | null | undefined {
  if (changes.client_certificate === null) return null;
  if (!changes.client_key) return undefined;
  return vault.seal("origin_client_key", clientKeyContext(tenantId, id), changes.client_key);
}
