import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import type { Haproxy } from "@mooring/edge";
import { freePort } from "@mooring/testing/processes/free-port";
import workspace from "../../../../../../package.json" with { type: "json" };
import { oldestNode } from "../../../oldest-node.ts";
import { judgeAccelerator } from "./accelerator.ts";
import { checkConfiguration, checkPrivateTargets } from "./configuration.ts";
import { checkClock, checkRoles, checkSchema, checkServerVersion } from "./database.ts";
import { checkResolvers } from "./dns.ts";
import { judgeFeed } from "./feed.ts";
import { checkDataDirectory, checkNode, judgeDisk } from "./machine.ts";
import { judgeReplica } from "./replica.ts";
import { judgeLog } from "./transparency.ts";
import { checkBaseUrl, checkPrivatePaths } from "./urls.ts";

describe("checkNode", () => {
  it("wants what the workspace's engines want", () => {
    assert.equal(workspace.engines.node, `>=${oldestNode}`);
  });

  for (const [version, status] of [
    ["24.18.1", "ok"],
    ["24.21.0", "ok"],
    ["26.0.0", "ok"],
    ["24.18.0", "fail"],
    ["24.9.9", "fail"],
    ["20.20.2", "fail"],
  ] as const) {
    it(`says ${status} to Node ${version}`, () => {
      assert.equal(checkNode(version).status, status);
    });
  }
});

describe("the check of the accelerator", () => {
  const haproxy: Haproxy = { version: "2.6.12", quic: "none", hasLua: true };
  const machine = {
    haproxy,
    isHttp3On: false,
    isProxied: false,
    descriptors: 1_048_576,
    staysRoot: false,
  };
  const statuses = (changes: Partial<Parameters<typeof judgeAccelerator>[0]>) =>
    judgeAccelerator({ ...machine, ...changes }).map(({ status }) => status);

  it("wants the package, a version that was tried, and file descriptors", () => {
    assert.deepEqual(statuses({}), ["ok"]);
    assert.deepEqual(statuses({ haproxy: null }), ["fail"]);
    assert.deepEqual(statuses({ haproxy: { ...haproxy, version: "2.4.1" } }), ["warn"]);
    assert.deepEqual(statuses({ isHttp3On: true }), ["ok", "warn"]);
    const newer: Haproxy = { version: "3.0.11", quic: "limited", hasLua: true };
    assert.deepEqual(statuses({ isHttp3On: true, haproxy: newer }), ["ok"]);
    const proxied = { isHttp3On: true, isProxied: true, haproxy: newer };
    assert.deepEqual(statuses(proxied), ["ok", "warn"]);
    assert.deepEqual(statuses({ descriptors: 1_024 }), ["ok", "warn"]);
    assert.deepEqual(statuses({ haproxy: { ...haproxy, hasLua: false } }), ["fail"]);
    assert.deepEqual(statuses({ staysRoot: true }), ["ok", "warn"]);
  });
});

describe("the check of NATS", () => {
  const now = new Date("2026-11-16T12:00:00Z");
  const stream = { outcome: "reachable", version: "2.9.10", messages: 7, replicas: 1 } as const;
  const judgedStatus = (feed: Parameters<typeof judgeFeed>[0], natsReplicas = 1) =>
    judgeFeed(feed, { natsReplicas }, now).status;

  it("wants a stream that is confirmed, on as many servers as were asked for", () => {
    const fresh = { ...stream, asOf: new Date(now.getTime() - 3_000) };
    assert.equal(judgedStatus(fresh), "ok");
    assert.equal(judgedStatus(fresh, 3), "warn");
    assert.equal(judgedStatus({ ...stream, asOf: null }), "warn");
    assert.equal(judgedStatus({ ...stream, asOf: new Date(now.getTime() - 120_000) }), "fail");
    assert.equal(judgedStatus({ ...stream, replicas: 0, asOf: null }), "fail");
    assert.equal(judgedStatus({ outcome: "unreachable", reason: "refused" }), "fail");
  });
});

describe("the check of the replica", () => {
  const judgedStatus = (replica: Parameters<typeof judgeReplica>[0]) =>
    judgeReplica(replica, { databaseReplicaMaxLagMs: 10_000 }).status;

  it("wants a standby that is close behind its primary", () => {
    assert.equal(judgedStatus({ outcome: "standby", lagMs: 800 }), "ok");
    assert.equal(judgedStatus({ outcome: "standby", lagMs: 11_000 }), "fail");
    assert.equal(judgedStatus({ outcome: "standby", lagMs: null }), "warn");
    assert.equal(judgedStatus({ outcome: "primary" }), "fail");
    assert.equal(judgedStatus({ outcome: "unreachable", reason: "refused" }), "fail");
  });
});

describe("checks of the database", () => {
  it("take PostgreSQL 15 to 18, warn of newer ones and refuse older ones", () => {
    const status = (version: number) => checkServerVersion({ version }).status;
    assert.deepEqual([14, 15, 18, 19].map(status), ["fail", "ok", "ok", "warn"]);
  });

  it("distinguish an older schema from a newer one", () => {
    const check = (actual: number) => checkSchema({ schema: { expected: 3, actual } });
    assert.equal(check(3).status, "ok");
    assert.match(check(2).fix ?? "", /mooring migrate/);
    assert.match(check(0).detail, /is empty/);
    assert.match(check(4).fix ?? "", /newer release/);
  });

  it("measure the clock in both directions", () => {
    assert.equal(checkClock({ skewMs: -1_500 }).status, "ok");
    assert.match(checkClock({ skewMs: 90_000 }).detail, /90\.0 s behind/);
    assert.match(checkClock({ skewMs: -90_000 }).detail, /90\.0 s ahead of/);
  });

  it("name roles that are missing, not bound by row security, or not granted", () => {
    const facts = { version: 18, user: "app", skewMs: 0, keyChecks: [] };
    const good = { name: "mooring_api", exists: true, isConfined: true, isGranted: true };
    const check = (change: object, actual = 3) =>
      checkRoles({ ...facts, schema: { expected: 3, actual }, roles: [{ ...good, ...change }] });
    assert.equal(check({}).status, "ok");
    assert.match(check({ exists: false }, 0).fix ?? "", /mooring migrate/);
    assert.match(check({ isConfined: false }).fix ?? "", /alter role mooring_api nosuperuser/);
    assert.match(check({ isGranted: false }).fix ?? "", /^grant mooring_api to app;$/);
  });
});

describe("checkBaseUrl", () => {
  const check = (url: string, isProduction = false) =>
    checkBaseUrl({ baseUrl: url, port: 8080 }, isProduction).status;

  it("takes the API's own address and any public one", () => {
    assert.equal(check("http://localhost:8080"), "ok");
    assert.equal(check("https://connect.example", true), "ok");
  });

  it("refuses a port of this machine where the API does not listen", () => {
    assert.equal(check("http://localhost:9000"), "fail");
    assert.equal(check("http://127.0.0.1"), "fail");
  });

  it("refuses what is more than an address", () => {
    assert.equal(check("https://connect.example/?a=b"), "fail");
  });

  it("warns of an address in production that others cannot reach or that is not encrypted", () => {
    assert.equal(check("http://localhost:8080", true), "warn");
    assert.equal(check("http://connect.example", true), "warn");
  });
});

describe("checkConfiguration", () => {
  it("names every variable that is wrong, files that cannot be read included", () => {
    const { findings } = checkConfiguration({
      PORT: "none",
      PLANS_FILE: "/nonexistent/plans.json",
      DOMAIN_CONNECT_CLIENTS_FILE: "/nonexistent/clients.json",
    });
    const names = findings.map(({ detail }) => detail.split(":")[0]);
    assert.deepEqual(names, ["PORT", "PLANS_FILE", "DOMAIN_CONNECT_CLIENTS_FILE"]);
  });
});

describe("checkPrivateTargets", () => {
  const check = (change: object, isProduction = true) =>
    checkPrivateTargets(
      { webhookAllowPrivate: false, originAllowPrivate: false, egressAllow: [], ...change },
      isProduction,
    );

  it("says which networks EGRESS_ALLOW opens", () => {
    assert.match(check({}).detail, /public addresses only$/);
    const own = check({ egressAllow: ["10.1.0.0/16", "fd12::/48"] });
    assert.equal(own.status, "ok");
    assert.match(own.detail, /EGRESS_ALLOW opens 10\.1\.0\.0\/16, fd12::\/48$/);
    const both = check({ originAllowPrivate: true, egressAllow: ["10.1.0.0/16"] });
    assert.equal(both.status, "warn");
    assert.match(both.detail, /with ORIGIN_ALLOW_PRIVATE .* EGRESS_ALLOW opens 10\.1\.0\.0\/16$/);
  });

  it("warns of networks with this machine or the metadata of a cloud in them", () => {
    assert.match(check({ egressAllow: ["127.0.0.1"] }).detail, /with this machine in it$/);
    const wide = check({ egressAllow: ["0.0.0.0/0"] });
    assert.equal(wide.status, "warn");
    assert.match(wide.detail, /this machine and the metadata of the cloud/);
    assert.match(check({ egressAllow: ["fd00::/8"] }).detail, /metadata/);
    assert.equal(check({ egressAllow: ["0.0.0.0/0"] }, false).status, "ok");
  });
});

describe("checkPrivatePaths", () => {
  const answer: RequestListener = ({ url = "" }, response) => {
    if (url.startsWith("/internal/ask")) response.writeHead(403).end('{"allow":false}');
    else response.end("mooring_http_requests_total 1\n");
  };

  it("fails where everybody can read them, and names them", async (t) => {
    const server = createServer(answer);
    t.after(() => server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const config = { baseUrl: `http://127.0.0.1:${port}` };
    const found = await checkPrivatePaths(config, true);
    assert.equal(found.status, "fail");
    assert.match(found.detail, /\/internal\/\* and \/metrics at http/);
    assert.equal((await checkPrivatePaths(config, false)).status, "ok");
  });

  it("is content where nothing answers, or something else", async (t) => {
    const server = createServer((_, response) => response.writeHead(404).end("{}"));
    t.after(() => server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const free = await freePort();
    for (const at of [port, free]) {
      const config = { baseUrl: `http://127.0.0.1:${at}` };
      assert.equal((await checkPrivatePaths(config, true)).status, "ok");
    }
  });
});

describe("checkDataDirectory", () => {
  it("wants a directory, and secrets that only their owner can read", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-doctor-"));
    try {
      const secret = path.join(directory, "secret-key");
      await writeFile(secret, "", { mode: 0o600 });
      assert.equal(checkDataDirectory(directory).status, "ok");
      assert.match(checkDataDirectory(path.join(directory, "new", "er")).detail, /will be made/);
      await chmod(secret, 0o644);
      assert.equal(checkDataDirectory(directory).fix, `chmod 600 ${secret}`);
      assert.match(checkDataDirectory(secret).detail, /is not a directory/);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe("checkResolvers", () => {
  it("distinguishes resolvers that answer from those that do not", async () => {
    // Answers NXDOMAIN: the question with the response bit and RCODE 3 (RFC 1035 §4.1.1).
    const server = createSocket("udp4").on("message", (query, peer) => {
      query.writeUInt16BE(0x8183, 2);
      server.send(query, peer.port, peer.address);
    });
    server.bind(0, "127.0.0.1");
    await once(server, "listening");
    const good = `127.0.0.1:${server.address().port}`;
    const unresponsive = `127.0.0.1:${await freePort()}`;
    assert.equal((await checkResolvers([good])).status, "ok");
    assert.equal((await checkResolvers([good, unresponsive])).status, "warn");
    const none = await checkResolvers([unresponsive]);
    assert.equal(none.status, "fail");
    assert.match(none.detail, new RegExp(unresponsive));
    server.close();
    await once(server, "close");
  });
});

describe("judgeDisk", () => {
  const mebibyte = 1_048_576;
  const judge = (mebibytes: number, files: number | null = null) =>
    judgeDisk("/data", mebibytes * mebibyte, files);

  it("refuses a disk that is full, warns of one that soon is, and counts files too", () => {
    assert.equal(judge(5_000).status, "ok");
    assert.equal(judge(500).status, "warn");
    assert.match(judge(3).detail, /only 3 MiB free at \/data/);
    assert.match(judge(5_000, 12).detail, /space for 12 more files/);
    assert.match(judge(0).fix ?? "", /set DATA_DIR to another one/);
  });
});

describe("judgeLog", () => {
  const log = {
    id: "a".repeat(64),
    description: "Example log",
    behindSeconds: 30,
    entriesRead: 7,
    entriesUnreadable: 0,
    stopReason: null,
    lastError: null,
  };

  it("fails on a log that was stopped, and says why and what to do", () => {
    const { status, detail, fix } = judgeLog({ ...log, stopReason: "fork" });
    assert.equal(status, "fail");
    assert.match(detail, /^Example log is no longer read: it showed two tree heads/);
    assert.match(fix ?? "", /mooring ct resume a{16}`/);
  });

  it("warns of a log that is more than an hour behind, with its last error", () => {
    const { status, detail } = judgeLog({ ...log, behindSeconds: 7_200, lastError: "away" });
    assert.deepEqual(
      [status, detail],
      ["warn", "Example log is read with a delay of 120 minutes; last error: away"],
    );
    assert.equal(judgeLog(log).status, "ok");
  });
});
