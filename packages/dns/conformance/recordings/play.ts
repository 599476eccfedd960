import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import type { Change } from "../../src/plan/change.ts";
import type { DnsProvider, ProviderAdapter } from "../../src/providers/adapter/contract.ts";
import { type DnsRecord, parseRecord } from "../../src/record.ts";
import { longestZone, type Zone } from "../../src/zone.ts";
import { create, makePlan, remove, update } from "../cases/case-context.ts";
import type { Recording, Rule, Scene } from "./recording.ts";
import { replay } from "./replay.ts";

const signal = new AbortController().signal;
let privateKey: string | null = null;

function makePrivateKey(): string {
  privateKey ??= generateKeyPairSync("rsa", { modulusLength: 2_048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  return privateKey;
}

export function makeCredentials({ manifest }: ProviderAdapter, { credentials }: Recording) {
  const needed = manifest.credentialFields.filter(({ required }) => required);
  const filled = needed.map(({ key }) => [key, `recorded ${key}`]);
  const stated = Object.entries(credentials).map(([key, value]) => {
    if (!value.includes("{private key}")) return [key, value];
    const pem = value.startsWith("{private") ? makePrivateKey() : JSON.stringify(makePrivateKey());
    return [key, value.replace("{private key}", () => pem)];
  });
  return Object.fromEntries([...filled, ...stated]);
}

/** "www 300 MX 10 mx.example.com", relative to the zone; a name outside it ends with a dot. */
export function readLine(line: string, zone: string): DnsRecord {
  const [, name = "", ttl, type = "", rest = ""] = /^(\S+) (\d+) ([A-Z]+) (.+)$/s.exec(line) ?? [];
  const hasPriority = type === "MX" || type === "SRV";
  const [, first, after = ""] = hasPriority ? (/^(\d+) (.+)$/.exec(rest) ?? []) : [];
  const parsed = parseRecord({
    name: absolute(name, zone),
    type,
    ttl: Number(ttl),
    value: hasPriority ? after : rest,
    priority: hasPriority ? Number(first) : null,
  });
  assert.ok(parsed.ok, `${line}: ${parsed.ok ? "" : parsed.message}`);
  return parsed.record;
}

function printLine({ name, ttl, type, priority, value }: DnsRecord, zone: string): string {
  const priorityText = priority === null ? "" : `${priority} `;
  return `${relative(name, zone)} ${ttl} ${type} ${priorityText}${value}`;
}

function absolute(name: string, zone: string): string {
  if (name === "@") return zone;
  return name.endsWith(".") ? name.slice(0, -1) : `${name}.${zone}`;
}

function relative(name: string, zone: string): string {
  if (name === zone) return "@";
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : `${name}.`;
}

function readChange(change: Scene["changes"][number], zone: string): Change {
  if ("create" in change) return create(readLine(change.create, zone));
  if ("delete" in change) return remove(readLine(change.delete, zone));
  return update(readLine(change.update, zone), readLine(change.existing, zone));
}

export async function findZone(provider: DnsProvider, scene: Scene): Promise<Zone> {
  if (scene.zoneId !== undefined) {
    return { id: scene.zoneId, name: scene.zone, nameservers: scene.nameservers ?? [] };
  }
  const zones = await provider.listZones(signal);
  const zone = longestZone(zones, scene.zone);
  assert.equal(zone?.name, scene.zone, `found ${zones.map(({ name }) => name).join(", ")}`);
  if (scene.nameservers !== undefined) assert.deepEqual(zone.nameservers, scene.nameservers);
  return zone;
}

/**
 * Lets the adapter find and read the zone of a scene and carry out its changes, with the recorded
 * answers; throws where it reads or sends something else. Gives the rules that were needed.
 */
export async function play(
  adapter: ProviderAdapter,
  recording: Recording,
  scene: Scene,
): Promise<ReadonlySet<Rule>> {
  const { fetch, differences, unused, usedRules } = replay(scene, recording);
  const wait = async () => undefined;
  const provider = adapter.open(makeCredentials(adapter, recording), { fetch, wait });
  try {
    const zone = await findZone(provider, scene);
    if (scene.records !== undefined) {
      const listing = await provider.listRecords(zone, signal);
      const read = listing.records.map((one) => printLine(one, zone.name));
      assert.deepEqual(
        listing.opaque.map(({ name, type }) => `${relative(name, zone.name)} ${type}`).sort(),
        [...scene.opaque].sort(),
      );
      const expected = scene.records.map((line) => printLine(readLine(line, zone.name), zone.name));
      assert.deepEqual([...read].sort(), expected.sort());
    }
    if (scene.changes.length > 0) {
      const changes = scene.changes.map((one) => readChange(one, zone.name));
      await provider.apply(zone, makePlan(zone.name, changes), signal);
    }
  } catch (error) {
    // A refused request is the cause of what failed after it.
    assert.deepEqual(differences(), []);
    throw error;
  }
  assert.deepEqual(differences(), []);
  assert.deepEqual(unused(), [], "recorded, and not asked for by the adapter");
  return usedRules();
}
