import {
  type Credentials,
  defineProvider,
  type ProviderAdapter,
} from "../src/providers/adapter/contract.ts";
import { ProviderError } from "../src/providers/adapter/errors.ts";
import { listRows, readRow, recordEdits } from "../src/providers/adapter/rows.ts";
import { manifest as sandbox } from "../src/providers/sandbox/manifest.ts";
import type { DnsRecord } from "../src/record.ts";

/** The zones behind the reference provider, by name. */
export type MemoryZones = Map<string, readonly DnsRecord[]>;

/**
 * The reference: the contract of a DnsProvider and nothing else, over a map in memory. It shows
 * that the suite can be passed, and serves as the provider of other tests.
 */
export function memoryProvider(zones: MemoryZones, token: string): ProviderAdapter {
  return defineProvider(sandbox, (credentials: Credentials) => {
    const authorise = (signal: AbortSignal) => {
      signal.throwIfAborted();
      if (credentials["token"] !== token) {
        throw new ProviderError("auth", "The token is not the one that was set.");
      }
    };
    const readRows = (name: string) => {
      const records = zones.get(name);
      if (records === undefined) throw new ProviderError("not_found", `There is no zone ${name}.`);
      return records.map((record) => readRow({ id: null, raw: null, zone: name, record }));
    };
    return {
      async listZones(signal) {
        authorise(signal);
        return [...zones.keys()].map((name) => ({ id: name, name, nameservers: [] }));
      },
      async listRecords(zone, signal) {
        authorise(signal);
        return listRows(readRows(zone.name));
      },
      async apply(zone, plan, signal) {
        authorise(signal);
        const rows = readRows(zone.name);
        const { remove, change, add } = recordEdits(plan, rows, sandbox.minimumTtlSeconds);
        const going = new Set([...remove, ...change.map(({ row }) => row)]);
        const retained = rows.flatMap((row) => (going.has(row) ? [] : (row.record ?? [])));
        zones.set(zone.name, [...retained, ...change.map(({ record }) => record), ...add]);
      },
    };
  });
}
