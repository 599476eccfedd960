import { normalizeName, toAbsolute } from "./name.ts";
import type { DnsRecord } from "./record.ts";
import { quoteTxt, unquoteTxt } from "./txt.ts";

/** A record's data as a zone file writes it (RFC 1035 §5.1): absolute targets, priority inside, TXT quoted. */
export function presentData(record: DnsRecord): string {
  switch (record.type) {
    case "TXT":
      return quoteTxt(record.value);
    case "MX":
    case "SRV":
      return `${record.priority} ${absoluteTarget(record.value)}`;
    case "CNAME":
    case "ALIAS":
    case "NS":
      return absoluteTarget(record.value);
    default:
      return record.value;
  }
}

/** The last word of the value with its closing dot; the root (`.`) has it already. */
export function absoluteTarget(value: string): string {
  return value.endsWith(".") ? value : `${value}.`;
}

export interface ParsedData {
  readonly value: string;
  readonly priority: number | null;
}

/**
 * Reads zone-file data back into the fields of a record. A target without a closing dot is relative to
 * `origin`, or absolute when the origin is null. Null when the data does not have the type's form.
 */
export function parseData(type: string, data: string, origin: string | null): ParsedData | null {
  switch (type) {
    case "TXT": {
      const value = unquoteTxt(data);
      return value === null ? null : { value, priority: null };
    }
    case "MX":
    case "SRV":
      return parsePrioritized(data, origin);
    case "CNAME":
    case "ALIAS":
    case "NS":
      return { value: targetOf(data, origin), priority: null };
    default:
      return { value: data, priority: null };
  }
}

function parsePrioritized(data: string, origin: string | null): ParsedData | null {
  const found = /^(\d{1,5})\s+(?:(\d{1,5}\s+\d{1,5})\s+)?(\S+)$/.exec(data.trim());
  if (found?.[3] === undefined) return null;
  const target = targetOf(found[3], origin);
  const value = found[2] === undefined ? target : `${found[2].replace(/\s+/, " ")} ${target}`;
  return { value, priority: Number(found[1]) };
}

/** "@" is the origin itself; the root stays as it is. */
export function targetOf(target: string, origin: string | null): string {
  if (target === ".") return target;
  if (target.endsWith(".")) return target.slice(0, -1);
  if (origin === null) return target;
  return toAbsolute(normalizeName(target) ?? target, origin);
}

export interface CaaParts {
  readonly flags: number;
  readonly tag: string;
  readonly text: string;
}

/** The three fields of a canonical CAA value. */
export function splitCaa(value: string): CaaParts {
  const found = /^(\d+) (\S+) "(.*)"$/s.exec(value);
  const [, flags = "0", tag = "", text = ""] = found ?? [];
  return { flags: Number(flags), tag, text: text.replace(/\\(.)/gs, "$1") };
}

export interface SrvParts {
  readonly weight: number;
  readonly port: number;
  readonly target: string;
}

/** The three fields of a canonical SRV value; the priority is the record's own. */
export function splitSrv(value: string): SrvParts {
  const [weight = "0", port = "0", target = "."] = value.split(" ");
  return { weight: Number(weight), port: Number(port), target };
}
