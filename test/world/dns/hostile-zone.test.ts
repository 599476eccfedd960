import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, get, type Made } from "@mooring/testing/clients/connecting";
import { call, type Answer as Reply } from "@mooring/testing/control/http";
import { startKnot } from "@mooring/testing/dns/dns-servers";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns, txt } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { startProcess } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import type { Answer } from "dns-packet";
import { createNetworkResolver } from "../../../packages/dns/src/index.ts";

const zone = "hostile.example";
const addressesEach = 3_900;
const serverCount = 32;
/** Of the huge row; unbounded, the reads of the short form already need twice the memory. */
const entries = proofSize(60_000, 190_000);
const readsAtOnce = proofSize(30, 60);

/** As many addresses as fit into a message of 64 KB, others for each server. */
function serverAddresses(server: number): readonly string[] {
  return Array.from(
    { length: addressesEach },
    (_, index) => `10.${server}.${index >> 8}.${index & 0xff}`,
  );
}

function bodyOf(answer: Reply): Record<string, unknown> {
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  return answer.json();
}

function entriesOf(detail: Record<string, unknown>): readonly unknown[] {
  const entries = detail["observed_records"];
  assert.ok(Array.isArray(entries));
  return entries;
}

async function storedBytes(life: LifecycleApp, id: string): Promise<number> {
  const { rows } = await life.session.query<{ bytes: number }>(
    "select octet_length(observed_records::text) as bytes from connections where id = $1",
    [id],
  );
  return rows[0]?.bytes ?? Number.NaN;
}

function checkRecords(caller: Caller, id: string): Promise<Reply> {
  const { base, key } = caller;
  return call(base, `/v1/connections/${id}/records:check`, { key, method: "POST" });
}

describe("a zone that answers with far more than anybody needs", () => {
  it("costs a bounded row and a bounded answer, served by Knot", async () => {
    const port = await freePort();
    const address = "127.0.77.1";
    const texts = Array.from({ length: 12 }, (_, index) => `"${`${index}`.padEnd(255, "t")}"`);
    const records = [
      ...["ns1", "ns2"].flatMap((host) => [`@ NS ${host}`, `${host} A ${address}`]),
      ...serverAddresses(1).map((one) => `shop A ${one}`),
      ...texts.map((text) => `_service-challenge.shop TXT ${text} ${text} ${text}`),
    ];
    const knot = await startKnot({ address, port, zones: { [zone]: records.join("\n") } });
    const resolver = createNetworkResolver({
      resolvers: [`${address}:${port}`],
      authoritativePort: port,
    });
    const life = await startLifecycle({ resolver });
    try {
      const caller = await life.caller("Acme", "live");
      const { id } = await connect(caller, `shop.${zone}`);
      const checked = await checkRecords(caller, id);
      const [first] = bodyOf(checked)["records"] as Record<string, unknown>[];
      assert.equal(first?.["observed_truncated"], true);
      assert.equal(String(first?.["observed_value"]).split(", ").length, 32);
      const answer = await get(caller, id);
      const detail = bodyOf(answer);
      assert.equal(entriesOf(detail).length, 32);
      assert.equal(detail["observed_truncated"], true);
      // Of each server 200 records are read, and both have the same.
      assert.equal(detail["observed_omitted"], 200 - 32);
      const unproven = await call(caller.base, `/v1/connections/${id}/verify`, {
        key: caller.key,
        method: "POST",
      });
      assert.equal(unproven.status, 409);
      const sizes = [answer.text.length, checked.text.length, unproven.text.length];
      assert.ok(Math.max(...sizes) < 32_768, `${sizes} bytes`);
    } finally {
      await life.close();
      await knot.stop();
    }
  });

  it("is asked at 8 of its 32 servers, each with other addresses", async () => {
    const port = await freePort();
    const hosts = Array.from({ length: serverCount }, (_, index) => `ns${index + 10}.${zone}`);
    const serverAddress = (index: number) => `127.0.78.${index + 1}`;
    const shared: Answer[] = hosts.flatMap((host, index) => [
      ns(zone, host),
      a(host, serverAddress(index)),
    ]);
    let proof: Answer[] = [];
    const servers: ScriptedDns[] = [];
    for (const index of hosts.keys()) {
      // The scripted server does not compress names.
      const many = serverAddresses(index)
        .slice(0, 1_800)
        .map((one) => a(`shop.${zone}`, one));
      const behave: Parameters<typeof startScriptedDns>[0]["behave"] = (question) => {
        const reply = answerFrom([...shared, ...proof, ...many], { soa: zone })(question);
        const isLarge = (reply.answers?.length ?? 0) > 10 && question.transport === "udp";
        return isLarge ? { truncated: true } : reply;
      };
      servers.push(await startScriptedDns({ address: serverAddress(index), port, behave }));
    }
    const resolver = createNetworkResolver({
      resolvers: [`${serverAddress(0)}:${port}`],
      authoritativePort: port,
      // All servers share this process: on a busy machine an answer of 64 KB takes a while.
      limits: { attemptTimeoutMs: 10_000, callTimeoutMs: 60_000 },
    });
    const life = await startLifecycle({ resolver });
    try {
      const caller = await life.caller("Acme", "live");
      const made = await connect(caller, `shop.${zone}`);
      proof = [txt(`_service-challenge.${made.hostname}`, made.challenge)];
      await life.reach(made.id, "propagating");
      await checkRecords(caller, made.id);
      const asked = servers.filter(({ seen }) => seen.some(({ name }) => name === made.hostname));
      assert.equal(asked.length, 8);
      const detail = bodyOf(await get(caller, made.id));
      assert.equal(detail["observed_omitted"], 8 * 200 - 32);
      const bytes = await storedBytes(life, made.id);
      assert.ok(bytes < 16_384, `${bytes} bytes are stored`);
    } finally {
      await life.close();
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});

describe("an API with the memory of the Kubernetes manifest", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let made: Made;
  before(async () => {
    life = await startLifecycle();
    caller = await life.caller("Acme", "live");
    made = await connect(caller, "large.example");
    // What a release without limits stored: 30 MB in the stated size.
    await life.session.query(
      `update connections set due_at = null, observed_records = (
         select jsonb_agg(jsonb_build_object('host', 'large.example', 'type', 'A', 'ttl', 60, 'priority', null,
           'value', md5(n::text), 'propagated', false, 'observed_at', '2026-11-15T00:00:00.000Z'))
         from generate_series(1, $2) as n)
       where id = $1`,
      [made.id, entries],
    );
  });
  after(() => life.close());

  it("answers many reads of a huge row at once, and stays within it", async () => {
    assert.ok((await storedBytes(life, made.id)) > entries * 130);
    const manifest = await readFile(
      path.resolve(import.meta.dirname, "../../../deploy/kubernetes/api.yaml"),
      "utf8",
    );
    const limitMiB = Number(/limits: \{ memory: (\d+)Mi \}/.exec(manifest)?.[1]);
    assert.ok(limitMiB > 0);
    const { databaseUrl, config } = life.app;
    const api = await startProcess("api", {
      DATABASE_URL: databaseUrl,
      DATA_DIR: config.dataDir,
      LOG_LEVEL: "warn",
      NODE_OPTIONS: `--max-old-space-size=${Math.floor(limitMiB * 0.75)}`,
    });
    try {
      const read = async (): Promise<Reply> => {
        const answer = await get({ ...caller, base: api.url }, made.id);
        // A busy machine may not read all these rows within a statement's five seconds.
        return answer.status === 503 ? read() : answer;
      };
      const reads = Array.from({ length: readsAtOnce }, () => read());
      for (const answer of await Promise.all(reads)) {
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
        assert.ok(answer.text.length < 262_144);
      }
      const status = await readFile(`/proc/${api.pid}/status`, "utf8");
      const peakMiB = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
      assert.ok(peakMiB < limitMiB, `${Math.round(peakMiB)} MiB of ${limitMiB}`);
    } finally {
      await api.signal("SIGTERM");
    }
  });
});
