import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, planOf } from "../../../conformance/bench.ts";
import {
  type NamecheapBackend,
  startNamecheap,
} from "../../../conformance/simulators/namecheap.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { type DnsRecord, parseRecord } from "../../record.ts";
import { ProviderError } from "../adapter/errors.ts";
import { namecheap } from "./provider.ts";

const untimed = "throttling is status 405 without a Retry-After header";

runConformance(namecheap, {
  simulator: startNamecheap,
  without: ["SRV"],
  skippedSince: "2026-11-15",
  skip: [
    {
      test: "shows a record of a type it does not know, and leaves it where it is",
      reason: "a row that cannot be sent back stops every write; tested below",
    },
    { test: "waits as long as the provider asks, then retries", reason: untimed },
    { test: "hands a long wait to the caller instead of waiting", reason: untimed },
    {
      test: "creates and deletes a service, and nothing twice",
      reason: "the interface has no SRV records; writing them is refused",
    },
  ],
});

const zoneName = "mail.example";

function rec(name: string, type: string, value: string, priority: number | null = null): DnsRecord {
  const parsed = parseRecord({ name, type, value, ttl: 300, priority });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.record;
}

async function applying(record: DnsRecord, prepare: (backend: NamecheapBackend) => void) {
  const backend = await startNamecheap();
  try {
    await backend.seed(zoneName, [rec(zoneName, "A", "192.0.2.1")]);
    prepare(backend);
    const provider = namecheap.open(backend.credentials, { fetch: backend.fetch });
    const zone = { id: zoneName, name: zoneName, nameservers: [] };
    const plan = planOf(zoneName, [create(record)]);
    const outcome = await provider.apply(zone, plan, new AbortController().signal).then(
      () => null,
      (error: unknown) => error,
    );
    return {
      outcome,
      rows: backend.store.zone(zoneName)?.records ?? [],
      mail: backend.emailTypes.get(zoneName),
    };
  } finally {
    await backend.close();
  }
}

describe("a write of the whole zone", () => {
  const text = rec(`x.${zoneName}`, "TXT", "hello");
  const plant = (backend: NamecheapBackend, type: string, extras = {}) =>
    backend.store.plant(zoneName, {
      name: `old.${zoneName}`,
      type,
      value: "192.0.2.9",
      ttl: 300,
      priority: null,
      extras,
    });

  it("sends the mail setting back as it was", async () => {
    const { outcome, mail } = await applying(text, ({ emailTypes }) =>
      emailTypes.set(zoneName, "FWD"),
    );
    assert.equal(outcome, null);
    assert.equal(mail, "FWD");
  });

  it("does not put an MX record beside another mail setting", async () => {
    const mx = rec(zoneName, "MX", "mx.example.net", 10);
    const { outcome } = await applying(mx, ({ emailTypes }) => emailTypes.set(zoneName, "FWD"));
    assert.ok(outcome instanceof ProviderError && outcome.kind === "conflict");
  });

  it("retains the rows of types that only Namecheap has", async () => {
    const { outcome, rows } = await applying(text, (backend) => plant(backend, "URL301"));
    assert.equal(outcome, null);
    assert.ok(rows.some(({ type }) => type === "URL301"));
  });

  it("is not made when a row could not be sent back", async () => {
    for (const type of ["A", "LOC"]) {
      const { outcome } = await applying(text, (backend) =>
        plant(backend, type, { dynamic: type === "A" }),
      );
      assert.ok(outcome instanceof ProviderError && outcome.kind === "conflict", type);
    }
  });
});
