import { isAtOrBelow, normalizeName } from "../name.ts";
import type { Request } from "../wire/request.ts";
import { type Rcode, type Response, type ResponseRecord, rcodes } from "../wire/response.ts";
import { encodeName } from "../wire/wire-records.ts";

/** The names of the validation zone that are public now. */
export interface ValidationNames {
  /**
   * The TXT values at a label of the zone; empty when it has none now, null when there is no such
   * name.
   */
  findValues(label: string): readonly string[] | null;
  /** Grows with every change. */
  serial(): number;
}

export interface ValidationZone {
  /** Canonical. */
  readonly zone: string;
  /** Names of the zone's servers, outside of the zone itself. */
  readonly nameServers: readonly string[];
}

/**
 * Answers questions for one zone that holds TXT records one label below its apex, and refuses every
 * other. Has no state of its own.
 */
export type Answerer = (request: Request) => Response;

/** A value that was published for an order is gone from every cache after this. */
export const validationTtlSeconds = 1;
/** RFC 2308 §4: an absence that a cache saw before the proof delays it by this much at most. */
export const validationNegativeTtlSeconds = 5;

const apexTtlSeconds = 3_600;
const questionNameAt = 12;
const classIn = 1;
const types = { ns: 2, soa: 6, hinfo: 13, txt: 16, opt: 41, ixfr: 251, axfr: 252, any: 255 };
const hinfo = Buffer.concat([text("RFC8482"), text("")]);

export function createAnswerer(
  { zone, nameServers }: ValidationZone,
  names: ValidationNames,
): Answerer {
  const suffix = `.${zone}`;
  const servers = nameServers.map(encodeName);
  const [primary = encodeName(zone)] = servers;
  const contact = encodeName(`hostmaster.${zone}`);

  function soa(ownerAt: number, ttl: number): ResponseRecord {
    const numbers = Buffer.allocUnsafe(20);
    const values = [names.serial() >>> 0, 3_600, 600, 86_400, validationNegativeTtlSeconds];
    for (const [index, value] of values.entries()) numbers.writeUInt32BE(value, index * 4);
    return { ownerAt, type: types.soa, ttl, data: Buffer.concat([primary, contact, numbers]) };
  }

  function absent(rcode: Rcode, apexAt: number): Response {
    const authorities = [soa(apexAt, validationNegativeTtlSeconds)];
    return { rcode, authoritative: true, answers: [], authorities };
  }

  function atApex(type: number): Response {
    const at = questionNameAt;
    if (type === types.soa) return found([soa(at, apexTtlSeconds)]);
    if (type === types.any) return found([minimal(at)]);
    if (type !== types.ns) return absent(rcodes.noError, at);
    return found(
      servers.map((data) => ({ ownerAt: at, type: types.ns, ttl: apexTtlSeconds, data })),
    );
  }

  function below(label: string, type: number): Response {
    const values = names.findValues(label);
    if (values === null) return absent(rcodes.nameError, apexOffset(label));
    if (type === types.any) return found([minimal(questionNameAt)]);
    if (type !== types.txt || values.length === 0) {
      return absent(rcodes.noError, apexOffset(label));
    }
    return found(values.map(txt));
  }

  return (request) => {
    const { name, type } = request;
    const refusal = judgeRequest(request);
    if (refusal !== null) return failed(refusal);
    if (name === zone) return atApex(type);
    if (!name.endsWith(suffix)) return failed(rcodes.refused);
    return below(name.slice(0, -suffix.length), type);
  };
}

/** What is refused wherever it is asked for. */
function judgeRequest({ type, class: recordClass, edns }: Request): Rcode | null {
  if (edns !== null && edns.version > 0) return rcodes.badVersion;
  if (type === types.opt) return rcodes.formatError;
  const isTransfer = type === types.axfr || type === types.ixfr;
  return isTransfer || recordClass !== classIn ? rcodes.refused : null;
}

function txt(value: string): ResponseRecord {
  const ttl = validationTtlSeconds;
  return { ownerAt: questionNameAt, type: types.txt, ttl, data: text(value) };
}

/** Where the zone's name begins in the question: after the labels before it. */
function apexOffset(labels: string): number {
  return questionNameAt + labels.replace(/\\\d{3}/g, "x").length + 1;
}

function found(answers: readonly ResponseRecord[]): Response {
  return { rcode: rcodes.noError, authoritative: true, answers, authorities: [] };
}

function failed(rcode: Rcode): Response {
  return { rcode, authoritative: false, answers: [], authorities: [] };
}

/** RFC 8482 §4.2: one small record instead of everything that there is. */
function minimal(ownerAt: number): ResponseRecord {
  return { ownerAt, type: types.hinfo, ttl: apexTtlSeconds, data: hinfo };
}

/** One character string; what is published is far below its 255 octets. */
function text(value: string): Buffer {
  const octets = Buffer.from(value, "latin1").subarray(0, 255);
  return Buffer.concat([Buffer.from([octets.length]), octets]);
}

/** What is wrong with a zone as it is configured; null when nothing is. */
export function validationZoneProblem({ zone, nameServers }: ValidationZone): string | null {
  if (normalizeName(zone) !== zone) return `${zone} is no name of a zone`;
  const inside = nameServers.find((server) => isAtOrBelow(server, zone));
  if (inside === undefined) return null;
  return `${inside} is inside the zone ${zone}; name servers need names, with addresses, outside of it`;
}
