import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type SignedWorld, startSignedWorld } from "@mooring/testing/dns/signed-world";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { createClient } from "../client/ask.ts";
import { createLimiter } from "../client/limiter.ts";
import { createDnssecSource } from "../resolve/dnssec-source.ts";
import type { RecursiveAsk } from "../resolve/find-zone.ts";
import { askUnchecked } from "../resolve/recursive.ts";
import type { QueryType } from "../wire/rdata.ts";
import { typeCodes } from "../wire/rdata.ts";
import type { WireRecord } from "../wire/wire-records.ts";
import type { DnssecSource } from "./chain.ts";
import type { SignedAnswer } from "./judge.ts";
import { createValidator } from "./validator.ts";

const records = [
  "www A 192.0.2.1",
  "www A 192.0.2.2",
  "local CNAME www",
  "*.wild A 192.0.2.3",
  "deep.below TXT text",
].join("\n");
const questions: readonly (readonly [string, QueryType])[] = [
  "nsec.example",
  "nsec3.example",
].flatMap((zone): (readonly [string, QueryType])[] => [
  [`www.${zone}`, "A"],
  [`www.${zone}`, "CAA"],
  [`local.${zone}`, "A"],
  [`any.wild.${zone}`, "A"],
  [`any.wild.${zone}`, "TXT"],
  [`absent.${zone}`, "A"],
  [`below.${zone}`, "A"],
]);

/** A change to one answer on its way. */
interface Mutation {
  readonly kind:
    | "flip"
    | "type"
    | "owner"
    | "drop"
    | "swap"
    | "rcode"
    | "move"
    | "other_answer"
    | "strip";
  readonly record: number;
  readonly octet: number;
  readonly other: number;
}

const mutations = fc.record<Mutation>({
  kind: fc.constantFrom(
    ...([
      "flip",
      "type",
      "owner",
      "drop",
      "swap",
      "rcode",
      "move",
      "other_answer",
      "strip",
    ] as const),
  ),
  record: fc.nat(1_000),
  octet: fc.nat(100_000),
  other: fc.nat(1_000),
});

describe("signed answers that are changed on their way", () => {
  let world: SignedWorld;
  let source: DnssecSource;
  const recorded = new Map<string, SignedAnswer | null>();
  const { signal } = new AbortController();

  before(async () => {
    world = await startSignedWorld("127.33.0", {
      "nsec.example": { records },
      "nsec3.example": { records, policy: ["nsec3: on", "nsec3-iterations: 0"] },
    });
    source = recording(networkSource(world), recorded);
    const validate = createValidator({
      source,
      anchors: world.trustAnchors,
      now: () => new Date(),
    });
    for (const [name, type] of questions) {
      assert.deepEqual(await validate(name, [type], signal), { outcome: "secure" });
    }
  });
  after(() => world.stop());

  test("are asked for once: a second check needs the DS and the record only", async () => {
    const asked: string[] = [];
    const counting: DnssecSource = {
      findServers: source.findServers,
      ask(server, name, type, inner) {
        asked.push(`${name} ${type}`);
        return source.ask(server, name, type, inner);
      },
    };
    const anchors = world.trustAnchors;
    const validate = createValidator({ source: counting, anchors, now: () => new Date() });
    assert.equal((await validate("www.nsec.example", ["A"], signal)).outcome, "secure");
    assert.deepEqual(asked.splice(0), [
      ". DNSKEY",
      "example DS",
      "example DNSKEY",
      "nsec.example DS",
      "nsec.example DNSKEY",
      "www.nsec.example DS",
      "www.nsec.example A",
    ]);
    assert.equal((await validate("www.nsec.example", ["A"], signal)).outcome, "secure");
    assert.deepEqual(asked, ["nsec.example DS", "www.nsec.example DS", "www.nsec.example A"]);
  });

  test("are never secure with other data, and never pass for unsigned", async () => {
    const outcomes = { secure: 0, bogus: 0, indeterminate: 0 };
    const property = fc.asyncProperty(
      fc.nat(questions.length - 1),
      fc.nat(6),
      fc.array(mutations, { minLength: 1, maxLength: 3 }),
      async (which, call, changes) => {
        const [name, type] = questions[which] ?? ["", "A"];
        const altered = altering(source, recorded, call, changes);
        const anchors = world.trustAnchors;
        const validate = createValidator({
          source: altered.source,
          anchors,
          now: () => new Date(),
        });
        const { outcome } = await validate(name, [type], signal);
        assert.notEqual(outcome, "insecure");
        if (outcome === "insecure") return;
        outcomes[outcome] += 1;
        if (outcome !== "secure") return;
        for (const [key, seen] of altered.delivered) {
          const [owner = "", asked = ""] = key.split(" ");
          if (asked !== type) continue;
          const code = typeCodes[type];
          assert.equal(
            saying(seen, owner, code),
            saying(recorded.get(key) ?? null, owner, code),
            key,
          );
        }
      },
    );
    await fc.assert(property, { numRuns: propertyRuns(20_000) });
    assert.ok(outcomes.bogus > 0 && outcomes.secure > 0, JSON.stringify(outcomes));
  });
});

/** What an answer says to whom asked: the code and the records, or the alias, at the name. */
function saying(answer: SignedAnswer | null, name: string, type: number): string {
  if (answer === null) return "nothing";
  const at = (code: number) =>
    answer.answers
      .filter((record) => record.name === name && record.type === code)
      .map(({ data }) => data.toString("hex"))
      .sort()
      .join(" ");
  // The code of an alias is that of the name it leads to, which is asked for itself.
  return at(type) || at(5) || answer.rcode;
}

function networkSource({ port, everything }: SignedWorld): DnssecSource {
  const client = createClient({
    limiter: createLimiter({ maxInFlight: 64, maxWaiting: 64, nowMs: () => performance.now() }),
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    attemptTimeoutMs: 10_000,
    udpAttempts: 2,
  });
  const policy = { ratePerSecond: 10_000, burst: 10_000, maxInFlight: 64 };
  const recursive = { client, policy, resolversFor: () => [{ address: everything, port }] };
  const recurse: RecursiveAsk = (name, type, signal) => askUnchecked(recursive, name, type, signal);
  return createDnssecSource({ client, policy, port, recurse, addressesOf: (at) => at.addresses });
}

/** Every answer is fetched once and stored, so that the runs need no network. */
function recording(source: DnssecSource, stored: Map<string, SignedAnswer | null>): DnssecSource {
  const servers = new Map<string, ReturnType<DnssecSource["findServers"]>>();
  return {
    findServers(zone, signal) {
      const found = servers.get(zone) ?? source.findServers(zone, signal);
      servers.set(zone, found);
      return found;
    },
    async ask(server, name, type, signal) {
      const key = `${name} ${type}`;
      const answer = stored.get(key) ?? (await source.ask(server, name, type, signal));
      stored.set(key, answer);
      return answer;
    },
  };
}

/** Changes the answer to the `call`th question, whichever server gives it. */
function altering(
  source: DnssecSource,
  recorded: ReadonlyMap<string, SignedAnswer | null>,
  call: number,
  changes: readonly Mutation[],
): { source: DnssecSource; delivered: Map<string, SignedAnswer | null> } {
  const order: string[] = [];
  const delivered = new Map<string, SignedAnswer | null>();
  const others = [...recorded.values()].filter((answer) => answer !== null);
  return {
    delivered,
    source: {
      findServers: source.findServers,
      async ask(server, name, type, signal) {
        const key = `${name} ${type}`;
        if (!order.includes(key)) order.push(key);
        const answer = await source.ask(server, name, type, signal);
        const isChanged = order.indexOf(key) === call && answer !== null;
        const given = isChanged
          ? changes.reduce((now, change) => mutate(now, change, others), answer)
          : answer;
        delivered.set(key, given);
        return given;
      },
    },
  };
}

function mutate(
  answer: SignedAnswer,
  { kind, record, octet, other }: Mutation,
  others: readonly SignedAnswer[],
): SignedAnswer {
  const all = [...answer.answers, ...answer.authorities];
  const at = all.length === 0 ? 0 : record % all.length;
  const to = all.length === 0 ? 0 : other % all.length;
  const replaced = (change: (one: WireRecord) => WireRecord) =>
    split(
      answer,
      all.map((one, index) => (index === at ? change(one) : one)),
    );
  switch (kind) {
    case "flip":
      return replaced((one) => ({ ...one, data: flipped(one.data, octet) }));
    case "type":
      return replaced((one) => ({
        ...one,
        type: [1, 5, 16, 39, 43, 46, 47, 48, 50][other % 9] ?? 1,
      }));
    case "owner":
      return replaced((one) => ({ ...one, name: all[to]?.name ?? one.name }));
    case "swap":
      return replaced((one) => ({ ...one, data: all[to]?.data ?? one.data }));
    case "drop":
      return split(answer, all, (index) => index !== at);
    case "strip":
      return split(answer, all, (index) => all[index]?.type !== 46);
    case "rcode":
      return { ...answer, rcode: answer.rcode === "NOERROR" ? "NXDOMAIN" : "NOERROR" };
    case "move":
      return { ...answer, answers: answer.authorities, authorities: answer.answers };
    case "other_answer":
      return others[other % others.length] ?? answer;
  }
}

function split(
  answer: SignedAnswer,
  all: readonly WireRecord[],
  keeps: (index: number) => boolean = () => true,
): SignedAnswer {
  const count = answer.answers.length;
  const answers = all.filter((_, index) => index < count && keeps(index));
  const authorities = all.filter((_, index) => index >= count && keeps(index));
  return { ...answer, answers, authorities };
}

function flipped(data: Buffer, octet: number): Buffer {
  const copy = Buffer.from(data);
  const at = octet % Math.max(1, copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << (octet % 8));
  return copy;
}
