import { normalizeServerName } from "../tls/client-hello.ts";

export interface Authority {
  readonly hostname: string;
  readonly port: number | null;
}

/** RFC 9110 §7.2 without user info or address literals; null for anything else. */
export function parseAuthority(text: string): Authority | null {
  const match = /^([A-Za-z0-9.-]{1,254})(?::([0-9]{1,5}))?$/.exec(text);
  const hostname = match === null ? null : normalizeServerName(match[1] ?? "");
  if (match === null || hostname === null) return null;
  return { hostname, port: match[2] === undefined ? null : Number(match[2]) };
}
