import type { DnsRecord, RecordsCheck, Resolver } from "@mooring/dns";
import { type Connection, challengeName } from "../../../domain/connection.ts";
import type { StrayProof, StrayRecord } from "../../../domain/diagnosis/facts.ts";
import { askZone } from "../../domains/ask-zone.ts";
import { type ServedZone, valuesOf } from "./zone.ts";

/** RFC 1035 §2.3.4. */
const longestName = 253;

/** The ownership value at the names where it is put by mistake most often. */
export async function findStrayProofs(
  resolver: Resolver,
  connection: Connection,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<readonly StrayProof[]> {
  if (at === null) return [];
  const found = await Promise.all(
    proofMistakes(connection.hostname, at.zone).map(async (mistake) => {
      const question = { name: mistake.name, type: "TXT" } as const;
      const values = valuesOf(await askZone(resolver, at.servers, question, signal));
      return values.includes(connection.challenge) ? [mistake] : [];
    }),
  );
  return found.flat();
}

/** Likeliest first. */
function proofMistakes(hostname: string, zone: string): readonly StrayProof[] {
  const right = challengeName(hostname);
  const doubled = [`${right}.${zone}`];
  const misplaced = [hostname, challengeName(zone), zone, right.replace(/^_/, "")];
  const mistakes = [
    ...doubled.map((name) => ({ name, isDoubled: true })),
    ...[...new Set(misplaced)].map((name) => ({ name, isDoubled: false })),
  ];
  return mistakes.filter(({ name }) => name !== right && name.length <= longestName);
}

/** Records that are missing where they belong, at the same name with the zone appended. */
export async function findStrayRecords(
  resolver: Resolver,
  check: RecordsCheck | null,
  at: ServedZone | null,
  signal: AbortSignal,
): Promise<readonly StrayRecord[]> {
  if (at === null || check === null) return [];
  const missing = check.records.filter(({ outcome }) => outcome === "absent");
  const found = await Promise.all(
    missing.map(({ record }) => strayOf(resolver, record, at, signal)),
  );
  return found.flat();
}

/** Only the very value counts: a wildcard of the zone answers for the doubled name too. */
async function strayOf(
  resolver: Resolver,
  record: DnsRecord,
  at: ServedZone,
  signal: AbortSignal,
): Promise<readonly StrayRecord[]> {
  const name = `${record.name}.${at.zone}`;
  // An ALIAS shows as addresses, which say nothing of the record they come from.
  if (record.type === "ALIAS" || name.length > longestName) return [];
  const question = { name, type: record.type };
  const values = valuesOf(await askZone(resolver, at.servers, question, signal));
  return values.includes(record.value) ? [{ wanted: record.name, name, values }] : [];
}
