import { canonicalIpv6 } from "../record.ts";
import { MalformedMessage, type Reader } from "./reader.ts";

/** RFC 9460 §14.3.2, by their codes. */
const keyNames = ["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"];

/**
 * SVCB and HTTPS data after the priority (RFC 9460 §2.2), as `target key=value …`: protocols and
 * addresses separated by commas, ECH in base64, unknown keys as `keyN` in hex.
 */
export function readServiceBinding(reader: Reader): string {
  const target = reader.name();
  const parameters: string[] = [];
  while (!reader.isAtEnd()) {
    const key = reader.u16();
    const value = printParameter(key, reader.bytes(reader.u16()));
    const name = keyNames[key] ?? `key${key}`;
    parameters.push(value === "" ? name : `${name}=${value}`);
  }
  return [target, ...parameters].join(" ");
}

function printParameter(key: number, value: Buffer): string {
  switch (keyNames[key]) {
    case "alpn":
      return readStrings(value).join(",");
    case "port":
      return inPieces(value, 2, (piece) => String(piece.readUInt16BE(0)));
    case "ipv4hint":
      return inPieces(value, 4, (piece) => Array.from(piece).join("."));
    case "ipv6hint":
      return inPieces(value, 16, printIpv6);
    case "ech":
      return value.toString("base64");
    default:
      return value.toString("hex");
  }
}

function readStrings(value: Buffer): readonly string[] {
  const strings: string[] = [];
  for (let at = 0; at < value.length; ) {
    const length = value.readUInt8(at);
    const text = value.subarray(at + 1, at + 1 + length);
    if (length === 0 || text.length < length) throw new MalformedMessage("bad alpn");
    strings.push(text.toString("latin1").replace(/[^!-~]|[,\\]/g, "?"));
    at += 1 + length;
  }
  return strings;
}

function inPieces(value: Buffer, bytes: number, print: (piece: Buffer) => string): string {
  if (value.length === 0 || value.length % bytes !== 0) {
    throw new MalformedMessage("a parameter has another length than its items");
  }
  const count = value.length / bytes;
  const pieces = Array.from({ length: count }, (_, index) =>
    print(value.subarray(index * bytes, (index + 1) * bytes)),
  );
  return pieces.join(",");
}

function printIpv6(piece: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    piece.readUInt16BE(index * 2).toString(16),
  );
  return canonicalIpv6(groups.join(":")) ?? groups.join(":");
}
