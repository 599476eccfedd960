import { checkOriginUrl, type Guard, type TlsOptions } from "@mooring/egress";
import type { Application } from "../../hosts/application.ts";
import type { OriginTlsOf } from "./tls.ts";

/** Where requests go. */
export interface OriginTarget {
  /** Connections are shared only under the same tenant and origin. */
  readonly key: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The application's own settings; null for those of every origin. */
  readonly tls: TlsOptions | null;
  /** HTTP/2 without TLS, by prior knowledge. */
  readonly isH2c: boolean;
  /** The value of `Host` where the tenant chose the origin's name. */
  readonly authority: string;
  /** Path of the origin URL, without its last slash. */
  readonly prefix: string;
}

/** One of the application's origins; throws the guard's EgressError for a refused URL. */
export function parseTarget(
  guard: Guard,
  application: Application,
  originUrl: string,
  tlsOf: OriginTlsOf,
): OriginTarget {
  const { tenantId, environment } = application;
  const { url, isH2c } = checkOriginUrl(guard, originUrl);
  const isTls = url.protocol === "https:";
  const tls = isTls ? tlsOf(application) : null;
  return {
    key: `${tenantId} ${environment} ${isH2c ? "h2c " : ""}${url.origin}${tls === null ? "" : ` ${tls.id}`}`,
    tenantId,
    applicationId: application.id,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
    tls: tls?.options ?? null,
    isH2c,
    authority: url.host,
    prefix: url.pathname.replace(/\/$/, ""),
  };
}
