import { normalizeName } from "../../name.ts";
import { type DnsRecord, recordKey } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { listRows, type Row } from "../adapter/rows.ts";
import { createExchange, type Server } from "./exchange.ts";
import { manifest } from "./manifest.ts";
import {
  encodeQuery,
  encodeRecord,
  encodeUpdate,
  isWholeZone,
  isWireType,
  readAnswers,
  toRows,
} from "./message.ts";
import { type TsigKey, tsigAlgorithms } from "./tsig.ts";

const typeSoa = 6;
const typeAxfr = 252;
const dnsPort = 53;

/** RFC 2136 §2.2, RFC 1035 §4.1.1. */
const failureByRcode: Readonly<Record<number, readonly [ProviderErrorKind, string]>> = {
  1: ["unavailable", "The server could not read the request (FORMERR)."],
  2: ["unavailable", "The server failed (SERVFAIL)."],
  3: ["not_found", "The server does not know the zone (NXDOMAIN)."],
  4: ["unsupported", "The server takes no dynamic updates (NOTIMP)."],
  5: ["auth", "The server's policy does not allow this with the key (REFUSED)."],
  9: ["not_found", "The server is not the primary of the zone (NOTAUTH)."],
  10: ["conflict", "A name lies outside the zone (NOTZONE)."],
};

export const rfc2136 = defineSetProvider<Buffer | null>(manifest, (credentials, context) => {
  const { dial } = context;
  if (dial === null)
    throw new ProviderError("unsupported", "No way to open connections was given.");
  const key = readKey(credentials);
  const only = normalizeName(credentials["zone"] ?? "");
  if (only === null) throw new ProviderError("auth", "Zone is not a domain name.");
  const exchange = createExchange({
    ...context,
    dial,
    key,
    server: parseServer(credentials["server"] ?? ""),
  });

  const ask = async (name: string, typeCode: number, signal: AbortSignal) => {
    const isComplete = typeCode === typeAxfr ? isWholeZone : () => true;
    return exchange.send((id) => encodeQuery(id, name, typeCode), isComplete, signal);
  };

  /** An SOA answer from the server shows that it serves the zone and knows the key. */
  const isServed = async (name: string, signal: AbortSignal): Promise<boolean> => {
    const [answer] = await ask(name, typeSoa, signal);
    if (answer === undefined || readRcode(answer) !== 0) return false;
    return readAnswers(answer).some((one) => one.typeCode === typeSoa && one.name === name);
  };

  const readRows = async (
    zone: Zone,
    signal: AbortSignal,
  ): Promise<readonly Row<Buffer | null>[]> => {
    const answers = await ask(zone.name, typeAxfr, signal);
    const rcode = readRcode(answers.at(-1));
    if (rcode === 0) return toRows(answers, zone.name);
    // A server answers a transfer of an unknown zone with the same code as a forbidden one.
    const isThere = rcode === 5 || rcode === 9 ? await isServed(zone.name, signal) : true;
    throw isThere ? failure(rcode === 9 ? 5 : rcode) : failure(9);
  };

  return {
    async listZones(signal) {
      const isThere = await isServed(only, signal);
      return isThere ? [{ id: only, name: only, nameservers: [] }] : [];
    },
    readNameservers: "apex",
    readRows,
    async writeSets(zone, edits, signal) {
      const unsupported = edits.find(({ type }) => !isWireType(type));
      if (unsupported !== undefined)
        throw new ProviderError("unsupported", `DNS has no ${unsupported.type} records.`);
      const deletions = edits.flatMap(({ before, retain }) =>
        before.filter((row) => !retain.includes(row)).flatMap(toWire),
      );
      const additions = edits.flatMap(({ ttl, add }) =>
        add.map((record) => encodeRecord(record, ttl)),
      );
      const encode = (id: number) => encodeUpdate(id, zone.name, deletions, additions);
      const [answer] = await exchange.send(encode, () => true, signal);
      const rcode = readRcode(answer);
      if (rcode !== 0) throw failure(rcode);
      // A server silently ignores an addition beside a CNAME (RFC 2136 §3.4.2.2).
      const requested = edits.flatMap(({ add }) => add);
      requireAll(requested, listRows(await readRows(zone, signal)).records);
    },
  };
});

function readRcode(answer: Buffer | undefined): number {
  return answer === undefined ? 2 : answer.readUInt16BE(2) & 0xf;
}

function failure(rcode: number): ProviderError {
  const [kind, message] = failureByRcode[rcode] ?? [
    "conflict",
    `The server refused the change (code ${rcode}).`,
  ];
  return new ProviderError(kind, message);
}

function toWire({ record, raw }: Row<Buffer | null>) {
  if (record === null) return [];
  const encoded = encodeRecord(record, 0);
  return [raw === null ? encoded : { ...encoded, data: raw }];
}

function requireAll(requested: readonly DnsRecord[], there: readonly DnsRecord[]): void {
  const keys = new Set(there.map(recordKey));
  const missing = requested.find((record) => !keys.has(recordKey(record)));
  if (missing === undefined) return;
  throw new ProviderError("conflict", `The server did not take ${missing.name} ${missing.type}.`);
}

function readKey(credentials: Credentials): TsigKey {
  const name = normalizeName(credentials["key_name"] ?? "");
  if (name === null) throw new ProviderError("auth", "TSIG key name is not a name.");
  const algorithm = (credentials["key_algorithm"] ?? "hmac-sha256")
    .toLowerCase()
    .replace(/\.$/, "");
  if (!tsigAlgorithms.includes(algorithm)) {
    throw new ProviderError("auth", `TSIG algorithm must be one of ${tsigAlgorithms.join(", ")}.`);
  }
  const input = credentials["key_secret"] ?? "";
  const secret = Buffer.from(input, "base64");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(input) || secret.length < 8) {
    throw new ProviderError("auth", "TSIG secret is not base64.");
  }
  return { name, algorithm, secret };
}

/** host, host:port, [IPv6] or [IPv6]:port. */
function parseServer(input: string): Server {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i.exec(input);
  const host = found?.[1] ?? found?.[2];
  const port = Number(found?.[3] ?? dnsPort);
  if (host === undefined || port < 1 || port > 65_535) {
    throw new ProviderError(
      "auth",
      "Primary server must be like ns1.example.net or ns1.example.net:53.",
    );
  }
  return { host, port };
}
