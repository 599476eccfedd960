import type { Guard } from "@mooring/egress";
import type { Host } from "../host.ts";

/** Where a host's requests go. */
export interface OriginTarget {
  /** Connections are shared only under the same tenant and origin. */
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** For `Host` when the origin wants its own name. */
  readonly authority: string;
  /** Path of the origin URL, without its last slash. */
  readonly prefix: string;
}

/** Throws the guard's EgressError for a URL that may not be dialled. */
export function originTarget(guard: Guard, host: Host, originUrl: string): OriginTarget {
  const url = guard.checkUrl(originUrl);
  const isTls = url.protocol === "https:";
  return {
    key: `${host.tenantId} ${host.environment} ${url.origin}`,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
    authority: url.host,
    prefix: url.pathname.replace(/\/$/, ""),
  };
}
