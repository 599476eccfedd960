import { parseAddress } from "@mooring/egress";

const widths = { 4: 32, 6: 128 } as const;
/** ::ffff:0:0/96, another spelling of IPv4 (RFC 4291 §2.5.5.2). */
const mappedPrefix = 96;
const mappedHigh = 0xffffn;

/**
 * The one spelling of an address or a network, with its prefix: bits behind the prefix are zero,
 * IPv6 as RFC 5952 writes it, mapped IPv4 as IPv4. Null for any other text.
 */
export function normalizeNetwork(text: string): string | null {
  const [base = "", length, ...rest] = text.split("/");
  const address = parseAddress(base);
  if (address === null || rest.length > 0) return null;
  const { family, value } = address;
  const width = widths[family];
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  const prefix = length === undefined ? width : Number(length);
  if (prefix > width) return null;
  const isMapped = family === 6 && prefix >= mappedPrefix && value >> 32n === mappedHigh;
  if (isMapped) return writeNetwork(4, value & 0xffff_ffffn, prefix - mappedPrefix);
  return writeNetwork(family, value, prefix);
}

function writeNetwork(family: 4 | 6, value: bigint, prefix: number): string {
  const hostBits = BigInt(widths[family] - prefix);
  const network = (value >> hostBits) << hostBits;
  return `${family === 4 ? writeV4(network) : writeV6(network)}/${prefix}`;
}

function hexGroup(value: bigint): string {
  return (value & 0xffffn).toString(16);
}

function writeV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
}

/** The longest run of two zero groups or more is `::`, the first of equals (RFC 5952 §4.2). */
function writeV6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    hexGroup(value >> BigInt((7 - index) * 16)),
  );
  const text = groups.join(":");
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)];
  const longest = runs.toSorted((one, two) => two[0].length - one[0].length)[0];
  if (longest === undefined) return text;
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}
