import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { TlsOptions } from "@mooring/egress";
import type { SealContext, Vault } from "@mooring/vault";
import type { Application } from "../../hosts/application.ts";

/** TLS to the origins of one application. */
export interface OriginTlsUse {
  /** Differs between settings: connections are shared only under the same. */
  readonly id: string;
  readonly options: TlsOptions;
}

/** Null for an application without settings of its own; throws when its key cannot be opened. */
export type OriginTlsOf = (application: Application) => OriginTlsUse | null;

export function createOriginTls(vault: Pick<Vault, "open">): OriginTlsOf {
  return (application) => {
    const { ca, clientCertificate, serverName, verifyName } = application.originTls;
    const settings = [ca, clientCertificate, serverName, verifyName];
    if (settings.every((one) => one === null)) return null;
    const secureContext = createContext(application, vault);
    return {
      id: createHash("sha256")
        .update(JSON.stringify([...settings, application.sealedClientKey]))
        .digest("base64url"),
      options: {
        ...(secureContext === null ? {} : { secureContext }),
        ...(serverName === null ? {} : { servername: serverName }),
        ...(verifyName === null ? {} : { verifyName }),
      },
    };
  };
}

/** Made once for all connections; null for the usual one. */
function createContext(application: Application, vault: Pick<Vault, "open">): SecureContext | null {
  const { ca, clientCertificate: cert } = application.originTls;
  const sealed = application.sealedClientKey;
  if (ca === null && cert === null) return null;
  const trusted = ca === null ? {} : { ca };
  if (cert === null || sealed === null) return createSecureContext(trusted);
  const key = vault.open("origin_client_key", clientKeyContext(application), sealed);
  return createSecureContext({ ...trusted, cert, key });
}

/** Where the control plane has sealed the key. */
function clientKeyContext({ tenantId, id }: Application): SealContext {
  return { tenant: tenantId, table: "applications", row: id, column: "sealed_client_key" };
}
