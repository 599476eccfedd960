import { isIP } from "node:net";
import { EgressError } from "./egress-error.ts";
import { checkAddress, type Judge } from "./policy.ts";

export type Scheme = "http" | "https";

export interface UrlRules {
  /** Default: both. */
  readonly schemes?: readonly Scheme[];
}

const DEFAULT_PORT: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };

/**
 * Everything about a URL that can be refused without the network. The WHATWG parser turns every
 * spelling of an IPv4 host (octal, hexadecimal, short, one number, full-width digits) into dotted
 * decimal, so a host that is an address is judged here, and judged as what would be dialled.
 */
export function checkUrl(judge: Judge, input: string | URL, rules: UrlRules = {}): URL {
  const url = URL.parse(String(input));
  if (url === null) throw new EgressError("refused_url", "the URL cannot be read");
  const schemes = rules.schemes ?? ["http", "https"];
  if (!schemes.some((scheme) => url.protocol === `${scheme}:`)) {
    throw new EgressError("refused_url", `the URL must begin with ${schemes.join(":// or ")}://`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new EgressError("refused_url", "the URL must not contain a user name or password");
  }
  checkPort(portOf(url));
  const host = hostOf(url);
  if (isIP(host) !== 0) checkAddress(judge, host);
  return url;
}

/** Below 1024 only the two ports of the web: the others belong to services that are not HTTP. */
export function checkPort(port: number): void {
  if (port !== 443 && port !== 80 && port < 1024) {
    throw new EgressError("refused_url", "the port must be 443, 80 or at least 1024");
  }
}

/** The host as sockets want it: IPv6 without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? DEFAULT_PORT.https : DEFAULT_PORT.http;
}
