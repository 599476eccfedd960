import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Resource,
  type ScriptedAcme,
  type ScriptedRequest,
  startScriptedAcme,
} from "@mooring/testing/acme/scripted-acme";
import { scriptedIssuer } from "@mooring/testing/acme/scripted-acme-ca";
import { flood } from "@mooring/testing/dns/hostile-packets";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, cname, ns } from "@mooring/testing/dns/scripted-zone";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "@mooring/testing/edge/edge-database";
import { freePort } from "@mooring/testing/processes/free-port";
import {
  type EdgeProcess,
  startDnsProcess,
  startEdgeProcess,
} from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type { Answer } from "dns-packet";
import { createNetworkResolver } from "../../../packages/dns/src/index.ts";
import type { Host } from "../../../packages/edge/src/hosts/host.ts";
import { generateRootKey } from "../../../packages/vault/src/index.ts";

const zone = "v.mooring.example";
const nameServers = ["ns-v1.mooring.example", "ns-v2.mooring.example"];
const addresses = ["127.0.25.3", "127.0.25.4"] as const;

const hostileCount = proofSize(5_000, 1_000_000);

type DnsProcess = Awaited<ReturnType<typeof startDnsProcess>>;

/**
 * Processes of an edge and of two name servers, and a CA that reads the value of DNS-01 itself,
 * from four resolvers, and refuses when one of them does not see it.
 */
describe("an order by delegated validation", () => {
  let database: EdgeDatabase;
  let acme: ScriptedAcme;
  let dns: ScriptedDns;
  let ask: Server;
  let edge: EdgeProcess;
  let env: Readonly<Record<string, string>> = {};
  const servers = new Map<number, DnsProcess>();
  const customer: Answer[] = [ns("acme.example", "ns1.acme.example")];
  const clock = createMovableClock();
  /** What one of the four resolvers sees at a name instead of the truth; null for the truth. */
  const fourthResolver = new Map<string, () => readonly string[] | null>();
  /** Names for which the CA checks again until all resolvers agree. */
  const patientFor = new Set<string>();
  /** A name with a record that stays. */
  let persistent: Host | null = null;

  before(async () => {
    const port = await freePort();
    database = await openEdgeDatabase();
    acme = await startScriptedAcme({
      certificateSeconds: 45 * 86_400,
      verdict: validate,
      challengeTypes: ["dns-01", "dns-persist-01"],
    });
    customer.push(a("ns1.acme.example", "127.0.0.1"), a("edge.acme.example", "127.0.0.1"));
    const operator = nameServers.map((name, index) => a(name, addresses[index] ?? ""));
    const answers = {
      customer: answerFrom(customer, { soa: "acme.example" }),
      operator: answerFrom(operator, { soa: "mooring.example" }),
    };
    dns = await startScriptedDns({
      address: "127.0.0.1",
      port,
      behave: (question) =>
        question.name.endsWith("acme.example")
          ? answers.customer(question)
          : answers.operator(question),
    });
    ask = createServer((_request, response) => response.end('{"allow":true}'));
    ask.listen(0, "127.0.0.1");
    await once(ask, "listening");
    const directory = mkdtempSync(path.join(tmpdir(), "delegated-orders-"));
    const caFile = path.join(directory, "ca.pem");
    writeFileSync(caFile, acme.caPem);
    env = {
      DATABASE_URL: database.url,
      SECRET_KEY: generateRootKey(),
      DATA_DIR: directory,
      ASK_URL: `http://127.0.0.1:${(ask.address() as AddressInfo).port}/internal/ask`,
      ACME_DIRECTORY_URL: acme.directoryUrl,
      ACME_CA_FILE: caFile,
      DNS_RESOLVERS: `127.0.0.1:${port}`,
      DNS_AUTHORITATIVE_PORT: String(port),
      EDGE_CNAME: "edge.acme.example",
      EDGE_IPV4: "127.0.0.1",
      EDGE_WORKERS: "1",
      VALIDATION_ZONE: zone,
      VALIDATION_NS: nameServers.join(","),
      VALIDATION_PORT: String(port),
      VALIDATION_PERSIST: "true",
    };
    [edge] = await Promise.all([startEdgeProcess(env), startServer(0), startServer(1)]);
  });
  after(async () => {
    acme.intervene = () => null;
    await Promise.all([edge, ...servers.values()].map((one) => one?.signal("SIGKILL")));
    await Promise.all([acme.stop(), dns.stop()]);
    ask.closeAllConnections();
    ask.close();
    await database.close();
  });

  async function startServer(index: 0 | 1): Promise<void> {
    servers.set(index, await startDnsProcess({ ...env, VALIDATION_HOST: addresses[index] }));
  }

  async function killServer(index: 0 | 1): Promise<void> {
    await servers.get(index)?.signal("SIGKILL");
  }

  /** The TXT values at a validation name, as one of our servers says. */
  async function see(name: string, server: number): Promise<readonly string[]> {
    const resolver = createNetworkResolver({ resolvers: [], authoritativePort: dns.port });
    const at = { host: nameServers[server] ?? "", addresses: [addresses[server] ?? ""] };
    const { signal } = new AbortController();
    const reply = await resolver.askServer(at, name, "TXT", { signal, transport: "udp" });
    return reply.outcome === "records" ? reply.records.map(({ value }) => value) : [];
  }

  async function isSeenByFourResolvers(hostname: string, txt: string): Promise<boolean> {
    const name = `_acme-challenge.${hostname.replace("*.", "")}`;
    const alias = customer.find((record) => record.name === name && record.type === "CNAME");
    const target = String(alias && "data" in alias ? alias.data : name);
    const seen = await Promise.all([
      ...[0, 1, 0].map((server) => see(target, server)),
      fourthResolver.get(target)?.() ?? see(target, 1),
    ]);
    return seen.every((values) => values.includes(txt));
  }

  /** draft-ietf-acme-dns-persist-01 §3.1, as a CA reads it. */
  async function hasPersistentRecord(hostname: string, accountUri: string): Promise<boolean> {
    const name = `_validation-persist.${hostname.replace("*.", "")}`;
    const alias = customer.find((record) => record.name === name && record.type === "CNAME");
    const values = await see(String(alias && "data" in alias ? alias.data : name), 0);
    return values.some((value) => {
      const [issuer, ...parameters] = value.split(";").map((part) => part.trim());
      return (
        issuer === scriptedIssuer &&
        parameters.includes(`accounturi=${accountUri}`) &&
        (!hostname.startsWith("*.") || parameters.includes("policy=wildcard"))
      );
    });
  }

  /**
   * As CAs do it: every resolver follows the customer's CNAME, and one that does not agree is a
   * refusal.
   */
  async function validate(
    hostname: string,
    type: string,
    { txt, accountUri }: { readonly txt: string; readonly accountUri: string },
  ): Promise<object | null> {
    if (type === "dns-persist-01" && (await hasPersistentRecord(hostname, accountUri))) return null;
    while (type === "dns-01") {
      if (await isSeenByFourResolvers(hostname, txt)) return null;
      if (!patientFor.has(hostname)) break;
      await delay(50);
    }
    return { type: "urn:ietf:params:acme:error:unauthorized", detail: "not seen from everywhere" };
  }

  /** A wildcard with its CNAME; it is not requested yet. */
  async function delegate(label: string) {
    const hostname = `*.${label}.acme.example`;
    const validation = label.padEnd(26, "a");
    customer.push(cname(`_acme-challenge.${label}.acme.example`, `${validation}.${zone}`));
    const host = await database.hold(hostname);
    await database.admin.query("update connections set validation_label = $1 where id = $2", [
      validation,
      host.connectionId,
    ]);
    return { host, hostname, target: `${validation}.${zone}` };
  }

  const isIssued = async (hostname: string) =>
    (await database.row(hostname))["status"] === "issued";
  const countValues = async (hostname: string): Promise<number> => {
    const { rows } = await database.admin.query<{ count: number }>(
      "select count(*)::int as count from validation_values where hostname like $1",
      [hostname],
    );
    return rows[0]?.count ?? -1;
  };

  const ordersFor = (hostname: string): number =>
    acme.seen.flatMap(orderedName).filter((name) => name === hostname).length;

  /** The challenges that the CA was asked to validate for a name, in order. */
  const usedFor = (hostname: string): readonly string[] => {
    const ordered = acme.seen.flatMap(orderedName);
    return acme.seen
      .filter(({ resource, payload }) => resource === "challenge" && payload !== null)
      .map(({ path: at }) => at.split("/"))
      .filter(([, , order]) => ordered[Number(order)] === hostname)
      .map(([, , , type]) => type ?? "");
  };

  describe("at a CA that checks by four resolvers", { concurrency: 3 }, () => {
    it("waits until the one that had cached the absence sees the value, and completes at once", async () => {
      const { host, hostname, target } = await delegate("cached");
      // It asks all the time, so that it has asked right before the value was published. Unbound
      // still uses an answer in the second in which its TTL runs out.
      let absentUntil = 0;
      const asking = setInterval(() => {
        void see(target, 1).then((values) => {
          if (values.length === 0) absentUntil = performance.now() + 5_950;
        });
      }, 20);
      fourthResolver.set(target, () => (performance.now() < absentUntil ? [] : null));
      try {
        await database.want(host, clock.now());
        await until(() => isIssued(hostname), "the certificate");
      } finally {
        clearInterval(asking);
      }
      assert.equal(ordersFor(hostname), 1);
      assert.equal((await database.row(hostname))["failures"], 0);
      assert.equal(await countValues(hostname), 0);
    });

    it("waits while one of them still sees the old value, and completes when it does not", async () => {
      const { host, hostname, target } = await delegate("late");
      patientFor.add(hostname);
      let checks = 0;
      let hasCaughtUp = false;
      fourthResolver.set(target, () => {
        checks += 1;
        return hasCaughtUp ? null : ["the value of the last order"];
      });
      await database.want(host, clock.now());
      await until(() => checks > 0, "the CA checks");
      const asked = acme.count("authz");
      await until(() => acme.count("authz") >= asked + 5, "the edge asks for the result");
      assert.equal(await isIssued(hostname), false);
      hasCaughtUp = true;
      await until(() => isIssued(hostname), "the certificate");
      assert.equal(ordersFor(hostname), 1);
      assert.equal((await database.row(hostname))["failures"], 0);
    });

    it("uses a record that stays where the customer has delegated that too, and changes nothing for a renewal", async () => {
      const { host, hostname, target } = await delegate("persist");
      persistent = host;
      customer.push(cname("_validation-persist.persist.acme.example", target));
      const changes = async (): Promise<string | undefined> => {
        const { rows } = await database.admin.query<{ id: string }>(
          "select max(id) as id from validation_changes where label = $1",
          [target.split(".")[0]],
        );
        return rows[0]?.id;
      };
      // An account that was lost and opened again: its record goes when ours is there.
      await database.admin.query("select publish_validation($1, $2, $3, 'infinity')", [
        hostname,
        host.epoch,
        `${scriptedIssuer}; accounturi=https://127.0.0.1/account/lost; policy=wildcard`,
      ]);
      await database.want(host, clock.now());
      await until(() => isIssued(hostname), "the certificate");
      assert.deepEqual(new Set(usedFor(hostname)), new Set(["dns-persist-01"]));
      await until(async () => (await see(target, 1)).length === 1, "it stays, alone");
      assert.match(
        (await see(target, 1)).join(),
        /^ca\.scripted\.example; accounturi=https:\S+\/account\/(?!lost)\S+; policy=wildcard$/,
      );
      const first = await changes();
      await database.want(host, clock.now());
      await until(() => isIssued(hostname), "the renewal");
      assert.deepEqual(new Set(usedFor(hostname)), new Set(["dns-persist-01"]));
      assert.equal(await changes(), first, "nothing was published again");
    });
  });

  it(`completes while ${hostileCount} hostile packets arrive at its name servers`, async (t) => {
    const { host, hostname } = await delegate("attacked");
    // A datagram of the CA may be lost too.
    patientFor.add(hostname);
    const before = [...servers.values()].map(({ pid }) => residentMib(pid));
    let hasEnded = false;
    const flooding = flood({
      zone,
      port: dns.port,
      addresses,
      packets: hostileCount,
      perSecond: proofSize(1_000, 20_000),
      hasEnded: () => hasEnded,
    });
    await database.want(host, clock.now());
    await until(() => isIssued(hostname), "the certificate").finally(() => {
      hasEnded = true;
    });
    assert.equal((await database.row(hostname))["failures"], 0);
    const rate = await flooding;
    const grown = [...servers.values()].map(({ pid }, at) => residentMib(pid) - (before[at] ?? 0));
    t.diagnostic(`${rate} packets a second, memory ${grown.join(" and ")} MiB more`);
    for (const mib of grown) assert.ok(mib < 100, `${mib} MiB more`);
    await until(async () => (await countValues(hostname)) === 0, "the end of the order");
  });

  it("is completed by other processes when all were killed, whatever its step, without a second order", async () => {
    const before = acme.seen.length;
    const steps = [
      "challenge",
      "authz",
      "finalize",
      "certificate",
    ] as const satisfies readonly Resource[];
    const names = new Map<string, string>();
    for (const step of steps) {
      const { host, hostname } = await delegate(step);
      names.set(step, hostname);
      await database.want(host, clock.now());
    }
    const hostnamesInOrder = (): readonly string[] => acme.seen.flatMap(orderedName);
    /** The requests of a name's order at its step, which get no answer. */
    const isAt = (step: Resource, { resource, path: at }: ScriptedRequest): boolean => {
      const index = hostnamesInOrder().indexOf(names.get(step) ?? "");
      return resource === step && at.split("/")[2] === String(index);
    };
    const requestsAt = (step: Resource): number =>
      acme.seen.slice(before).filter((request) => isAt(step, request)).length;
    // The first read of an authorization finds its challenges; the second one is about the result.
    const first = (step: Resource): number => (step === "authz" ? 1 : 0);
    acme.intervene = (request) =>
      steps.some((step) => isAt(step, request) && requestsAt(step) > first(step)) ? "hang" : null;
    await until(
      () => steps.every((step) => requestsAt(step) > first(step)),
      "an order at every step",
    );
    // And one whose value one of the name servers does not show: that one is killed before.
    await killServer(1);
    const { host, hostname: waiting } = await delegate("published");
    names.set("published", waiting);
    await database.want(host, clock.now());
    await until(async () => (await countValues(waiting)) === 1, "its value");
    await Promise.all([edge.signal("SIGKILL"), killServer(0)]);
    acme.intervene = () => null;
    await database.admin.query(
      "update certificates set leased_until = now() where status = 'pending'",
    );
    // Records that stay are switched off: the next order of such a name takes its record away.
    assert.ok(persistent);
    assert.equal(await countValues(persistent.hostname), 1);
    await database.want(persistent, clock.now());
    const changed = { ...env, VALIDATION_PERSIST: "false" };
    [edge] = await Promise.all([startEdgeProcess(changed), startServer(0), startServer(1)]);
    for (const [step, hostname] of names) {
      await until(() => isIssued(hostname), `the certificate of the order at ${step}`);
    }
    for (const hostname of names.values()) assert.equal(ordersFor(hostname), 1, hostname);
    const { hostname: changedName } = persistent;
    await until(() => isIssued(changedName), "the certificate by DNS-01");
    assert.equal(usedFor(changedName).at(-1), "dns-01");
    assert.equal(await countValues("%"), 0);
  });
});

/** The name of a new order; none for other requests. */
function orderedName({ resource, isNew, payload }: ScriptedRequest): readonly string[] {
  if (resource !== "order" || !isNew) return [];
  const identifiers = (payload?.["identifiers"] ?? []) as readonly { readonly value: string }[];
  return identifiers.map(({ value }) => value);
}

/** The resident memory of a process; throws when it has ended. */
function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024);
}
