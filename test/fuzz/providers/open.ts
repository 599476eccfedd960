import assert from "node:assert/strict";
import fc from "fast-check";
import {
  create,
  makePlan,
  rec,
  suiteZone,
} from "../../../packages/dns/conformance/cases/case-context.ts";
import { simulators } from "../../../packages/dns/conformance/random-zones/all-simulators.ts";
import type { Backend } from "../../../packages/dns/conformance/simulator.ts";
import { ProviderError } from "../../../packages/dns/src/providers/adapter/errors.ts";
import type { Fetch } from "../../../packages/dns/src/providers/adapter/http.ts";
import { longestZone } from "../../../packages/dns/src/zone.ts";
import { type Spoiling, spoil, spoilings } from "../api/from-schema.ts";
import type { FuzzTarget } from "../target.ts";

/** How the answer of a provider differs from what its simulator says. */
type Change =
  | { readonly kind: "fields"; readonly list: readonly Spoiling[] }
  | { readonly kind: "bytes"; readonly text: string }
  | { readonly kind: "cut"; readonly part: number }
  | { readonly kind: "octet"; readonly at: number; readonly text: string }
  | { readonly kind: "status"; readonly status: number; readonly headers: Headers };
type Headers = Readonly<Record<string, string>>;

interface ProviderInput {
  readonly provider: number;
  /** The request whose answer is changed, and whether all later ones are too. */
  readonly at: number;
  readonly isLasting: boolean;
  readonly change: Change;
}

const latin1 = fc.string({ unit: "binary-ascii", maxLength: 200 });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("fields" as const),
      list: fc.array(spoilings, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("bytes" as const), text: latin1 }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("cut" as const), part: fc.nat(100) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("octet" as const), at: fc.nat(5_000), text: latin1 }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("status" as const),
      status: fc.constantFrom(200, 201, 202, 206, 301, 400, 401, 403, 404, 409, 422, 429, 500, 503),
      headers: fc.constantFrom<Headers>(
        {},
        { "retry-after": "-1" },
        { "retry-after": "1e99" },
        { "content-type": "text/html" },
        { location: "http://127.0.0.1/" },
        { link: '<https://other.example/>; rel="next"' },
      ),
    }),
  },
);
const inputs: fc.Arbitrary<ProviderInput> = fc.record({
  provider: fc.nat(simulators.length - 1),
  at: fc.nat(6),
  isLasting: fc.boolean(),
  change,
});

/** Pages of the longest zone that an adapter reads, several times over. */
const maxRequests = 5_000;

/**
 * Every adapter at its simulator, whose answers are changed on the way. Harm is a failure that is
 * no ProviderError, a text that a statement refuses, requests without an end, or memory.
 */
export async function openProvidersTarget(): Promise<FuzzTarget<ProviderInput>> {
  const backends = new Map<number, Backend>();
  let count = 0;

  async function openBackend(provider: number): Promise<Backend> {
    const known = backends.get(provider);
    const backend = known ?? (await simulators[provider]?.start());
    assert.ok(backend, `there is no provider ${provider}`);
    backends.set(provider, backend);
    await backend.seed(suiteZone, [rec("app", "A", "192.0.2.1"), rec("other", "TXT", "a b")]);
    return backend;
  }

  return {
    inputs,
    maxGrowthBytes: 300 * 1_048_576,
    count: () => count,
    async attempt(input) {
      count += 1;
      const backend = await openBackend(input.provider);
      const adapter = simulators[input.provider]?.adapter;
      assert.ok(adapter);
      const wait = async (): Promise<void> => undefined;
      const { signal } = new AbortController();
      const sane = adapter.open(backend.credentials, { fetch: backend.fetch, wait });
      const zone = longestZone(await sane.listZones(signal), suiteZone);
      assert.ok(zone);
      const open = () =>
        adapter.open(backend.credentials, {
          fetch: tamper(backend.fetch, input),
          wait,
          timeoutMs: 10_000,
        });
      const plan = makePlan(suiteZone, [create(rec("new", "A", "192.0.2.3"))]);
      await harmless(async () => {
        for (const { name } of await open().listZones(signal)) checkText(name);
      });
      await harmless(async () => {
        const { records, opaque } = await open().listRecords(zone, signal);
        for (const { name, type, value } of records) checkText(name, type, value);
        // As the provider has them; what is stored of them is replaced where it is stored.
        for (const { name, type, value } of opaque) {
          for (const text of [name, type, value]) assert.equal(typeof text, "string");
        }
      });
      await harmless(() => open().apply(zone, plan, signal));
    },
    async close() {
      await Promise.all([...backends.values()].map((backend) => backend.close()));
    },
  };
}

/** A provider may fail, in words of ours. */
async function harmless(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    checkText(error.message);
  }
}

function checkText(...texts: readonly string[]): void {
  for (const text of texts) {
    assert.equal(typeof text, "string");
    assert.ok(text.isWellFormed() && !text.includes("\0"), JSON.stringify(text));
  }
}

function tamper(fetch: Fetch, { at, isLasting, change: how }: ProviderInput): Fetch {
  let sent = 0;
  return async (url, init) => {
    const index = sent;
    sent += 1;
    assert.ok(sent <= maxRequests, "requests without an end");
    const answer = await fetch(url, init);
    if (index !== at && !(isLasting && index > at)) return answer;
    const text = await answer.text();
    const status = how.kind === "status" ? how.status : answer.status;
    const headers = new Headers(answer.headers);
    for (const name of ["content-length", "content-encoding"]) headers.delete(name);
    const added = how.kind === "status" ? how.headers : {};
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    const body = Buffer.from(changed(text, how), "latin1");
    return new Response(status === 204 || status === 304 ? null : body, { status, headers });
  };
}

/** As octets, so that text may be no UTF-8 afterwards. */
function changed(text: string, how: Change): string {
  const octets = Buffer.from(text, "utf8").toString("latin1");
  if (how.kind === "bytes") return how.text;
  if (how.kind === "cut") return octets.slice(0, Math.floor((octets.length * how.part) / 100));
  if (how.kind === "octet") {
    const at = octets.length === 0 ? 0 : how.at % octets.length;
    return octets.slice(0, at) + how.text + octets.slice(at + 1);
  }
  if (how.kind === "status" || !/^\s*[[{]/.test(text)) return octets;
  const value = how.list.reduce<unknown>((one, spoiling) => spoil(one, spoiling), JSON.parse(text));
  return Buffer.from(JSON.stringify(value) ?? "", "utf8").toString("latin1");
}
