import assert from "node:assert/strict";
import fc from "fast-check";
import type { QueryType } from "../../../packages/dns/src/index.ts";
import { createNetworkResolver } from "../../../packages/dns/src/index.ts";
import { decodeResponse, encodeQuery } from "../../../packages/dns/src/wire/message.ts";
import { readWireRecords } from "../../../packages/dns/src/wire/wire-records.ts";
import type { FuzzTarget } from "../target.ts";
import { startHostileServer } from "./hostile-server.ts";
import { type HostileMessage, messages, packetFor } from "./packet.ts";

interface HostileAnswers {
  readonly type: QueryType;
  readonly messages: readonly HostileMessage[];
  /** Over the network, by the resolver; otherwise by the codec alone. */
  readonly transport: "none" | "udp" | "tcp";
}

const inputs: fc.Arbitrary<HostileAnswers> = fc.record<HostileAnswers>({
  type: fc.constantFrom("A", "AAAA", "CNAME", "TXT", "MX", "CAA", "NS", "SRV", "SOA", "HTTPS"),
  messages: fc.array(messages, { minLength: 1, maxLength: 12 }),
  transport: fc.oneof(
    { weight: 14, arbitrary: fc.constant("none" as const) },
    { weight: 2, arbitrary: fc.constantFrom("udp" as const, "tcp" as const) },
  ),
});

/** A message of 64 KB is read within this, also on a busy machine. */
const maxDecodeMs = 2_000;
const maxAskMs = 10_000;
const attemptTimeoutMs = 50;

/**
 * The wire codec, and the resolver against a server that answers with compression loops, lengths
 * that lie, endless sections and broken frames. Harm is a throw, a long run, text that a statement
 * refuses, or memory.
 */
export async function openDnsTarget(): Promise<FuzzTarget<HostileAnswers>> {
  const server = await startHostileServer();
  const unlimited = { ratePerSecond: 1e6, burst: 1e6, maxInFlight: 256 };
  const resolver = createNetworkResolver({
    resolvers: [`${server.address}:${server.port}`],
    authoritativePort: server.port,
    limits: {
      attemptTimeoutMs,
      callTimeoutMs: 300,
      authoritative: unlimited,
      recursive: unlimited,
    },
  });
  let count = 0;

  const askOne = async (name: string, { type, transport }: HostileAnswers): Promise<void> => {
    const at = { host: "ns.fuzz.example", addresses: [server.address] };
    const { signal } = new AbortController();
    const startedAt = performance.now();
    const reply =
      transport === "tcp"
        ? await resolver.askServer(at, name, type, { signal, transport })
        : await resolver.resolve(name, type, signal);
    assert.ok(performance.now() - startedAt < maxAskMs, `${name} took too long`);
    if (reply.outcome === "records") checkRecords(reply.records);
  };

  return {
    inputs,
    maxGrowthBytes: 150 * 1_048_576,
    count: () => count,
    async attempt(input) {
      count += input.messages.length;
      for (const message of input.messages) decodeOne(input.type, message);
      if (input.transport === "none") return;
      server.forget();
      const names = input.messages.map((message, index) => {
        const name = `n${index}.fuzz.example`;
        server.answer(name, message);
        return name;
      });
      await Promise.all(names.map((name) => askOne(name, input)));
    },
    close: () => server.stop(),
  };
}

function decodeOne(type: QueryType, message: HostileMessage): void {
  const name = "shop.fuzz.example";
  const query = encodeQuery({
    id: 4_711,
    name,
    type,
    recursionDesired: false,
    checkingDisabled: false,
    edns: true,
  });
  const packet = packetFor(query, message);
  const before = process.cpuUsage();
  for (const known of [undefined, name]) {
    const decoded = decodeResponse(query, packet, known);
    if (decoded.kind !== "answer") continue;
    const { answers, authorities, additionals } = decoded.message;
    checkRecords([...answers, ...authorities, ...additionals]);
  }
  if (packet.length >= 12) readWireRecords(packet);
  const { user, system } = process.cpuUsage(before);
  const took = Math.round((user + system) / 1_000);
  assert.ok(took < maxDecodeMs, `${packet.length} octets took ${took} ms of processor time`);
}

function checkRecords(list: readonly { readonly name: string; readonly value: string }[]): void {
  for (const { name, value } of list) {
    assert.ok(name.isWellFormed() && !name.includes("\0"), `name ${JSON.stringify(name)}`);
    assert.ok(name.length <= 1_024, `a name of ${name.length} characters`);
    assert.ok(value.isWellFormed() && !value.includes("\0"), `value ${JSON.stringify(value)}`);
  }
}
