import { type Address, type Cidr, contains, lowV4, parseAddress, parseCidr } from "./address.ts";
import { EgressError } from "./egress-error.ts";
import { GLOBAL_UNICAST_V6, type SpecialPurpose, specialPurpose } from "./special-purpose.ts";

export interface PolicyOptions {
  /** Networks that may be dialled although they are special-purpose. */
  readonly allow?: readonly string[];
  /**
   * Opens loopback, private, shared, unique-local and link-local space, but no metadata service,
   * multicast, reserved or transition block; those need `allow`.
   */
  readonly allowPrivate?: boolean;
  /** Networks that are never dialled, whatever is allowed: this service's own addresses. */
  readonly ownAddresses?: readonly string[];
}

/** Why the address is refused, naming the rule and not the address; null when it may be dialled. */
export type Judge = (address: Address) => string | null;

const table = specialPurpose.map((row) => ({ row, cidr: networkOf(row.block) }));
const globalUnicast = networkOf(GLOBAL_UNICAST_V6);

export function createPolicy(options: PolicyOptions): Judge {
  const allow = (options.allow ?? []).map(networkOf);
  const own = (options.ownAddresses ?? []).map(networkOf);
  const allowPrivate = options.allowPrivate ?? false;

  const judge: Judge = (address) => {
    const row = table.find((each) => contains(each.cidr, address))?.row;
    // First, so that no exception for an IPv6 network reaches an IPv4 address through it.
    if (row?.rule === "embedded") return judge(lowV4(address));
    if (own.some((cidr) => contains(cidr, address))) return "it is an address of this service";
    if (allow.some((cidr) => contains(cidr, address))) return null;
    if (row !== undefined) {
      return row.rule === "private" && allowPrivate ? null : reason(row);
    }
    const isGlobal = address.family === 4 || contains(globalUnicast, address);
    return isGlobal ? null : "it is not global unicast (RFC 4291 §2.4)";
  };
  return judge;
}

/** Throws `refused_address` unless the text is an address that may be dialled. */
export function checkAddress(judge: Judge, text: string): Address {
  const address = parseAddress(text);
  const refusal = address === null ? "it cannot be read" : judge(address);
  if (address === null || refusal !== null) {
    throw new EgressError("refused_address", `the address of the host is refused: ${refusal}`);
  }
  return address;
}

function reason(row: SpecialPurpose): string {
  return `${row.what} (${row.source})`;
}

/** A configured network that cannot be read is a mistake to stop at, not to skip. */
function networkOf(text: string): Cidr {
  const cidr = parseCidr(text.trim());
  if (cidr === null) throw new TypeError(`not an address or network: ${JSON.stringify(text)}`);
  return cidr;
}
