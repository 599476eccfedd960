import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, makePlan } from "../../../conformance/cases/case-context.ts";
import {
  type NamecheapBackend,
  startNamecheap,
} from "../../../conformance/simulators/namecheap.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { planChanges } from "../../plan/plan.ts";
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

async function applying(
  record: DnsRecord,
  prepare: (backend: NamecheapBackend) => void,
  listedCount?: number,
) {
  const backend = await startNamecheap();
  try {
    await backend.seed(zoneName, [rec(zoneName, "A", "192.0.2.1")]);
    prepare(backend);
    const provider = namecheap.open(backend.credentials, { fetch: backend.fetch });
    const zone = { id: zoneName, name: zoneName, nameservers: [] };
    const plan = { ...makePlan(zoneName, [create(record)]), listedCount: listedCount ?? 0 };
    const outcome = await provider.apply(zone, plan, new AbortController().signal).then(
      () => null,
      (error: unknown) => error,
    );
    return {
      outcome,
      rows: backend.store.zone(zoneName)?.records ?? [],
      mail: backend.emailTypes.get(zoneName),
      written: backend.written,
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

  it("retains the rows when their element is spelt with a capital, as in Namecheap's sample", async () => {
    const { outcome, rows } = await applying(text, ({ listing }) => {
      listing.element = "Host";
    });
    assert.equal(outcome, null);
    assert.deepEqual(rows.map(({ type }) => type).sort(), ["A", "TXT"]);
  });

  it("is not made when the list is empty or shorter than the one that was planned on", async () => {
    for (const mostRows of [0, 1]) {
      const prepare = (backend: NamecheapBackend) => {
        plant(backend, "A");
        backend.listing.mostRows = mostRows;
      };
      const { outcome, rows, written } = await applying(text, prepare, 2);
      assert.ok(outcome instanceof ProviderError, `${mostRows} rows`);
      assert.equal(outcome.kind, mostRows === 0 ? "conflict" : "unavailable");
      assert.equal(rows.length, 2);
      assert.deepEqual(written, []);
    }
  });

  it("leaves the mail setting out when it was not shown", async () => {
    const { outcome, written } = await applying(text, ({ listing }) => {
      listing.hasEmailType = false;
    });
    assert.equal(outcome, null);
    assert.equal(written[0]?.has("EmailType"), false);
  });

  it("works in a zone with hosted mail, whose MX rows follow from the setting", async () => {
    for (const setting of ["OX", "GMAIL"]) {
      const { outcome, rows, written } = await applying(text, (backend) => {
        backend.emailTypes.set(zoneName, setting);
        const mx = { name: zoneName, type: "MX", value: "mx1.privateemail.example", ttl: 300 };
        backend.store.plant(zoneName, { ...mx, priority: 10, extras: {} });
      });
      assert.equal(outcome, null, setting);
      assert.deepEqual(rows.map(({ type }) => type).sort(), ["A", "MX", "TXT"]);
      assert.equal(written[0]?.get("EmailType"), setting);
    }
  });
});

describe("namecheap's errors", () => {
  it("are retryable when they report throttling or an exception on Namecheap's side", async () => {
    const kinds = {
      500000: "rate_limited",
      3050900: "unavailable",
      5019169: "unavailable",
      5050169: "unavailable",
      5050900: "unavailable",
      2019166: "not_found",
      2015280: "unsupported",
    };
    for (const [code, kind] of Object.entries(kinds)) {
      const body = `<ApiResponse Status="ERROR"><Errors><Error Number="${code}">No.</Error></Errors></ApiResponse>`;
      const keys = { api_user: "captain", api_key: "nc-key", client_ip: "192.0.2.77" };
      const provider = namecheap.open(keys, { fetch: async () => new Response(body) });
      await assert.rejects(
        provider.listZones(new AbortController().signal),
        (error) => error instanceof ProviderError && error.kind === kind,
        code,
      );
    }
  });
});

describe("a plan for a zone at Namecheap", () => {
  it("asks for consent, since rows that are not listed would be lost", () => {
    const input = {
      zone: zoneName,
      manifest: namecheap.manifest,
      listing: { records: [rec(zoneName, "A", "192.0.2.1")], opaque: [] },
      desired: [rec(`shop.${zoneName}`, "CNAME", "edge.example.net")],
      owned: [],
      allowedNames: [`shop.${zoneName}`],
    };
    const asked = planChanges(input);
    assert.ok(asked.ok);
    const [change] = asked.plan.changes;
    assert.equal(change?.action, "conflict");
    assert.equal(change?.replaceable, true);
    assert.match(change?.reason ?? "", /would be lost/);
    const accepted = planChanges({ ...input, replace: [change?.id ?? ""] });
    assert.ok(accepted.ok);
    assert.equal(accepted.plan.changes[0]?.action, "create");
    assert.equal(accepted.plan.listedCount, 1);
  });
});
