import { isIP, type LookupFunction } from "node:net";
import { type Address, type Cidr, contains, lowV4, parseAddress, parseCidr } from "./address.ts";
import { asEgressError, EgressError } from "./egress-error.ts";
import { globalUnicastV6, type SpecialPurpose, specialPurpose } from "./special-purpose.ts";

export interface PolicyOptions {
  /** Networks that may be dialled although they are special-purpose. */
  readonly allow?: readonly string[];
  /**
   * Opens loopback, private, shared, unique-local and link-local space, but no metadata service,
   * multicast, reserved or transition block; those need `allow`. `loopback` opens only that.
   */
  readonly allowPrivate?: boolean | "loopback";
  /** Networks that are never dialled, whatever is allowed: this service's own addresses. */
  readonly ownAddresses?: readonly string[];
}

/** Why the address is refused, naming the rule and not the address; null when it may be dialled. */
export type Judge = (address: Address) => string | null;

const table = specialPurpose.map((row) => ({ row, cidr: parseNetwork(row.block) }));
const globalUnicast = parseNetwork(globalUnicastV6);

/**
 * Decides by number which addresses may be dialled: the special-purpose table, then the options.
 */
export function createPolicy(options: PolicyOptions): Judge {
  const allow = (options.allow ?? []).map(parseNetwork);
  const own = (options.ownAddresses ?? []).map(parseNetwork);
  const allowPrivate = options.allowPrivate ?? false;

  const judge: Judge = (address) => {
    const row = table.find((each) => contains(each.cidr, address))?.row;
    // First, so that no exception for an IPv6 network reaches an IPv4 address through it.
    if (row?.rule === "embedded") return judge(lowV4(address));
    if (own.some((cidr) => contains(cidr, address))) return "it is an address of this service";
    if (allow.some((cidr) => contains(cidr, address))) return null;
    if (row !== undefined) {
      return isOpened(row, allowPrivate) ? null : reason(row);
    }
    const isGlobal = address.family === 4 || contains(globalUnicast, address);
    return isGlobal ? null : "it is not global unicast (RFC 4291 §2.4)";
  };
  return judge;
}

/** Throws `refused_address` unless the text is an address that may be dialled. */
function checkAddress(judge: Judge, text: string): Address {
  const address = parseAddress(text);
  const refusal = address === null ? "it cannot be read" : judge(address);
  if (address === null || refusal !== null) {
    throw new EgressError("refused_address", `the address of the host is refused: ${refusal}`);
  }
  return address;
}

function isOpened({ rule, what }: SpecialPurpose, allowPrivate: boolean | "loopback"): boolean {
  if (rule !== "private") return false;
  return allowPrivate === "loopback" ? what === "loopback" : allowPrivate;
}

function reason(row: SpecialPurpose): string {
  return `${row.what} (${row.source})`;
}

/** Throws on a configured network that cannot be read; skipping it would open or close too much. */
function parseNetwork(text: string): Cidr {
  const cidr = parseCidr(text.trim());
  if (cidr === null) throw new TypeError(`not an address or network: ${JSON.stringify(text)}`);
  return cidr;
}

export type Scheme = "http" | "https";

export interface UrlRules {
  /** Default: both. */
  readonly schemes?: readonly Scheme[];
}

const defaultPorts: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };

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
  checkPort(socketPort(url));
  const host = socketHost(url);
  if (isIP(host) !== 0) checkAddress(judge, host);
  return url;
}

/** Below 1024 only the two ports of the web: the others belong to services that are not HTTP. */
function checkPort(port: number): void {
  if (port !== 443 && port !== 80 && port < 1024) {
    throw new EgressError("refused_url", "the port must be 443, 80 or at least 1024");
  }
}

/** The host as sockets want it: IPv6 without brackets. */
export function socketHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

export function socketPort(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? defaultPorts.https : defaultPorts.http;
}

/**
 * All addresses of a name, in connection order. `owner` is whose question it is, for fair limits.
 */
export type Resolver = (hostname: string, owner?: string) => Promise<readonly string[]>;

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** A name's addresses, all of them allowed; never empty. Each call checks again. */
export type CheckedResolver = (
  hostname: string,
  owner?: string,
) => Promise<readonly CheckedAddress[]>;

/**
 * One refused address refuses the name: an attacker who adds a private address beside a public one
 * must not choose which is dialled. A literal address is checked as it is, without a query.
 */
export function createCheckedResolver(judge: Judge, resolver: Resolver): CheckedResolver {
  return async (hostname, owner) => {
    if (isLooseAddress(hostname)) {
      throw new EgressError("refused_address", "the host is an address in a form that is not used");
    }
    const answers = isIP(hostname) === 0 ? await ask(resolver, hostname, owner) : [hostname];
    if (answers.length === 0) throw new EgressError("dns", "the host has no address");
    return answers.map((address) => ({ address, family: checkAddress(judge, address).family }));
  };
}

/**
 * Whether the last label is a number, which no name may have (URL §3.5, "ends in a number"): a form
 * of inet_aton that other software would take for an address.
 */
function isLooseAddress(hostname: string): boolean {
  return isIP(hostname) === 0 && /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(hostname);
}

/** The checked resolver in the form that `net.connect` and `http.request` take as `lookup`. */
export function createLookup(resolve: CheckedResolver): LookupFunction {
  return (hostname, options, callback) => {
    const wanted = familyNumber(options.family);
    resolve(hostname)
      .then((all) => {
        const usable = all.filter((each) => wanted === 0 || each.family === wanted);
        const [first] = usable;
        if (first === undefined) throw new EgressError("dns", "the host has no such address");
        return { usable, first };
      })
      .then(
        ({ usable, first }) => {
          if (options.all) callback(null, [...usable]);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, []),
      );
  };
}

async function ask(
  resolver: Resolver,
  hostname: string,
  owner: string | undefined,
): Promise<readonly string[]> {
  try {
    return await resolver(hostname, owner);
  } catch (error) {
    throw asEgressError(error, "dns", "the host could not be resolved");
  }
}

function familyNumber(family: number | "IPv4" | "IPv6" | undefined): number {
  if (family === "IPv4") return 4;
  return family === "IPv6" ? 6 : (family ?? 0);
}
