import { isIPv4, isIPv6 } from "node:net";

/** An IP address as a number, so that no rule depends on how it was spelled. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

export interface Cidr {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly prefix: number;
}

const widthBits = { 4: 32, 6: 128 } as const;
const low32Bits = 0xffff_ffffn;

/**
 * Reads the textual forms that sockets and resolvers use (dotted decimal; RFC 4291 §2.2). Null for
 * everything else, also for looser IPv4 spellings and for an address with a zone: what cannot be
 * judged is not dialled.
 */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, value: parseV4(text) };
  if (isIPv6(text) && !text.includes("%")) return { family: 6, value: parseV6(text) };
  return null;
}

/** `address/prefix`, or an address alone for exactly that one; null when it is not a network. */
export function parseCidr(text: string): Cidr | null {
  const [base = "", length, ...rest] = text.split("/");
  const address = parseAddress(base);
  if (address === null || rest.length > 0) return null;
  const width = widthBits[address.family];
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const prefix = length === undefined ? width : Number(length);
  if (prefix > width) return null;
  const hostBits = BigInt(width - prefix);
  const isNetwork = (address.value >> hostBits) << hostBits === address.value;
  return isNetwork ? { ...address, prefix } : null;
}

export function contains(cidr: Cidr, address: Address): boolean {
  if (cidr.family !== address.family) return false;
  const hostBits = BigInt(widthBits[cidr.family] - cidr.prefix);
  return address.value >> hostBits === cidr.value >> hostBits;
}

/** The IPv4 address in the last 32 bits, where mapped and NAT64 addresses carry it. */
export function lowV4(address: Address): Address {
  return { family: 4, value: address.value & low32Bits };
}

/** ::ffff:0:0/96 is another spelling of an IPv4 address: the kernel opens an IPv4 connection. */
function unmapped(address: Address): Address {
  const isMapped = address.family === 6 && address.value >> 32n === 0xffffn;
  return isMapped ? lowV4(address) : address;
}

export function isSameAddress(one: Address, two: Address): boolean {
  const [a, b] = [unmapped(one), unmapped(two)];
  return a.family === b.family && a.value === b.value;
}

function parseV4(text: string): bigint {
  return text.split(".").reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function parseV6(text: string): bigint {
  const [head = "", tail] = hexGroups(text).split("::");
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = new Array<bigint>(8 - left.length - right.length).fill(0n);
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | group, 0n);
}

/** A dotted tail (RFC 4291 §2.2 form 3) as two groups of hexadecimal digits. */
function hexGroups(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const tail = text.slice(start);
  if (!tail.includes(".")) return text;
  const value = parseV4(tail);
  return `${text.slice(0, start)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

function groups(text: string): bigint[] {
  return text === "" ? [] : text.split(":").map((group) => BigInt(`0x${group}`));
}
