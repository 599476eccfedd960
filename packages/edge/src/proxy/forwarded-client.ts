import { isIP } from "node:net";
import type { CdnFinder } from "@mooring/dns/lookup";
import type { Fields } from "../http/fields.ts";

/** The client of a request, as the edge names it to the origin. */
export interface ForwardedClient {
  /** For `X-Real-IP`: the last address that is no trusted proxy's and no CDN's. */
  readonly address: string;
  /** The value of `X-Forwarded-For`. */
  readonly forwardedFor: string;
  /** The value of `Forwarded` where a trusted proxy sent that; else null. */
  readonly forwarded: string | null;
}

/**
 * Continues the chain of addresses that a trusted proxy or a CDN sends, and starts a new one for
 * everybody else: what an untrusted peer says about itself is dropped. A CDN is known by the
 * networks that it publishes, and names its visitor in a field of its own or at the end of the
 * chain.
 */
export function createForwardedClients(
  isTrusted: (address: string) => boolean,
  findCdn: CdnFinder = () => null,
): (fields: Fields, peer: string) => ForwardedClient {
  const networks = { isTrusted, findCdn };
  return (fields, peer) => {
    if (isTrusted(peer)) return behindProxy(fields, peer, networks);
    if (findCdn(peer) === null) return { address: peer, forwardedFor: peer, forwarded: null };
    const address = findVisitor(fields, readChain(fields).named, peer, networks);
    const forwardedFor = address === peer ? peer : `${address}, ${peer}`;
    return { address, forwardedFor, forwarded: null };
  };
}

interface KnownNetworks {
  readonly isTrusted: (address: string) => boolean;
  readonly findCdn: CdnFinder;
}

function behindProxy(fields: Fields, peer: string, networks: KnownNetworks): ForwardedClient {
  const { chain, elements, named } = readChain(fields);
  const nearest = lastUntrusted(named, networks.isTrusted) ?? peer;
  return {
    address: findVisitor(fields, named, nearest, networks),
    forwardedFor: [...(chain.length > 0 ? chain : named.filter(isPresent)), peer].join(", "),
    forwarded: elements.length === 0 ? null : [...elements, elementFor(peer)].join(", "),
  };
}

/** The addresses that a proxy names, as text and parsed; null for one that cannot be read. */
function readChain(fields: Fields) {
  const chain = splitValues(fields, "x-forwarded-for");
  const elements = splitValues(fields, "forwarded");
  const named = chain.length > 0 ? chain.map(parseAddress) : elements.map(parseForAddress);
  return { chain, elements, named };
}

/** The fields in which CDNs name the visitor, each set by its CDN on every request. */
const visitorFields: Readonly<Record<string, string>> = { cloudflare: "cf-connecting-ip" };

/** Whom the CDN at the nearest address names; that address where it is no CDN's. */
function findVisitor(
  fields: Fields,
  named: readonly (string | null)[],
  nearest: string,
  { isTrusted, findCdn }: KnownNetworks,
): string {
  const cdn = findCdn(nearest);
  if (cdn === null) return nearest;
  const field = visitorFields[cdn];
  const own = field === undefined ? [] : splitValues(fields, field);
  const visitor = own.length === 1 ? parseAddress(own[0] ?? "") : null;
  if (visitor !== null) return visitor;
  const isPassed = (address: string): boolean => isTrusted(address) || findCdn(address) === cdn;
  return lastUntrusted(named, isPassed) ?? nearest;
}

/** How many addresses of peers are remembered. */
const maxRemembered = 4_096;

/** The same finder; a connection's address is looked up once, not at each of its requests. */
export function rememberCdn(find: CdnFinder): CdnFinder {
  const known = new Map<string, string | null>();
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    if (known.size >= maxRemembered) known.clear();
    const found = find(address);
    known.set(address, found);
    return found;
  };
}

/** The values of all lines, in order, split at commas. */
function splitValues(fields: Fields, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] !== name) continue;
    values.push(...(fields[index + 1] ?? "").split(",").map((value) => value.trim()));
  }
  return values.filter((value) => value !== "");
}

/**
 * From the nearest proxy outwards; the first address that cannot be read ends what can be believed.
 */
function lastUntrusted(
  addresses: readonly (string | null)[],
  isTrusted: (address: string) => boolean,
): string | null {
  let nearest: string | null = null;
  for (const address of addresses.toReversed()) {
    if (address === null) return nearest;
    nearest = address;
    if (!isTrusted(address)) return nearest;
  }
  return nearest;
}

/** An address without its port: `192.0.2.1:80`, `[2001:db8::1]:80`, or as it is. */
function parseAddress(text: string): string | null {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 || bare.includes("%") ? null : bare;
}

/** RFC 7239 §4: the address in `for`; null for an obfuscated or unknown one. */
function parseForAddress(element: string): string | null {
  const value = /(?:^|;)\s*for=(?:"([^"]*)"|([^;]*))/i.exec(element);
  return parseAddress((value?.[1] ?? value?.[2] ?? "").trim());
}

function elementFor(peer: string): string {
  return `for=${isIP(peer) === 6 ? `"[${peer}]"` : peer};proto=https`;
}

function isPresent(address: string | null): address is string {
  return address !== null;
}
