import { isIP } from "node:net";
import type { Fields } from "../http/fields.ts";

/** The client of a request, as the edge names it to the origin. */
export interface ForwardedClient {
  /** For `X-Real-IP`: the last address that is no trusted proxy's. */
  readonly address: string;
  /** The value of `X-Forwarded-For`. */
  readonly forwardedFor: string;
  /** The value of `Forwarded` where a trusted proxy sent that; else null. */
  readonly forwarded: string | null;
}

/**
 * Continues the chain of addresses that a trusted proxy sends, and starts a new one for everybody
 * else: what an untrusted peer says about itself is dropped.
 */
export function createForwardedClients(
  isTrusted: (address: string) => boolean,
): (fields: Fields, peer: string) => ForwardedClient {
  return (fields, peer) => {
    if (!isTrusted(peer)) return { address: peer, forwardedFor: peer, forwarded: null };
    const chain = splitValues(fields, "x-forwarded-for");
    const elements = splitValues(fields, "forwarded");
    const named = chain.length > 0 ? chain.map(parseAddress) : elements.map(parseForAddress);
    return {
      address: lastUntrusted(named, isTrusted) ?? peer,
      forwardedFor: [...(chain.length > 0 ? chain : named.filter(isPresent)), peer].join(", "),
      forwarded: elements.length === 0 ? null : [...elements, elementFor(peer)].join(", "),
    };
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
