import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type Resource,
  type ScriptedAcme,
  startScriptedAcme,
} from "@mooring/testing/acme/scripted-acme";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns } from "@mooring/testing/dns/scripted-zone";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "@mooring/testing/edge/edge-database";
import { freePort } from "@mooring/testing/processes/free-port";
import { startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";
import { generateRootKey } from "../../../../packages/vault/src/index.ts";

/** Edge processes, killed with SIGKILL while an order is pending at the CA. */
describe("an order whose edge is killed", () => {
  let database: EdgeDatabase;
  let acme: ScriptedAcme;
  let dns: ScriptedDns;
  let ask: Server;
  let env: Readonly<Record<string, string>> = {};
  const clock = createMovableClock();

  before(async () => {
    database = await openEdgeDatabase();
    acme = await startScriptedAcme({ certificateSeconds: 45 * 86_400 });
    const names = ["authz", "finalize", "certificate"].map((step) => `${step}.acme.example`);
    const addresses = ["ns1.acme.example", "edge.acme.example", ...names];
    const zone = [
      ns("acme.example", "ns1.acme.example"),
      ...addresses.map((name) => a(name, "127.0.0.1")),
    ];
    const behave = answerFrom(zone, { soa: "acme.example" });
    dns = await startScriptedDns({ address: "127.0.0.1", port: await freePort(), behave });
    ask = createServer((_request, response) => response.end('{"allow":true}'));
    ask.listen(0, "127.0.0.1");
    await once(ask, "listening");
    const directory = mkdtempSync(path.join(tmpdir(), "order-resume-"));
    const caFile = path.join(directory, "ca.pem");
    writeFileSync(caFile, acme.caPem);
    env = {
      DATABASE_URL: database.url,
      SECRET_KEY: generateRootKey(),
      DATA_DIR: directory,
      ASK_URL: `http://127.0.0.1:${(ask.address() as AddressInfo).port}/internal/ask`,
      ACME_DIRECTORY_URL: acme.directoryUrl,
      ACME_CA_FILE: caFile,
      DNS_RESOLVERS: `127.0.0.1:${dns.port}`,
      DNS_AUTHORITATIVE_PORT: String(dns.port),
      EDGE_CNAME: "edge.acme.example",
      EDGE_IPV4: "127.0.0.1",
      EDGE_WORKERS: "1",
    };
  });
  after(async () => {
    await Promise.all([acme.stop(), dns.stop()]);
    ask.closeAllConnections();
    ask.close();
    await database.close();
  });

  const readStatus = async (hostname: string) => (await database.row(hostname))["status"];

  for (const step of ["authz", "finalize", "certificate"] as const satisfies readonly Resource[]) {
    it(`is resumed by another process at its ${step}, without a second order`, async () => {
      const hostname = `${step}.acme.example`;
      acme.seen.length = 0;
      const first = await startEdgeProcess(env);
      acme.intervene = ({ resource }) => (resource === step ? "hang" : null);
      await database.want(await database.hold(hostname), clock.now());
      await until(() => acme.seen.some(({ resource }) => resource === step));
      await first.signal("SIGKILL");
      assert.equal(await readStatus(hostname), "pending");
      acme.intervene = () => null;
      // As if the lease of the killed process had expired.
      await database.admin.query(
        "update certificates set leased_until = now() where hostname = $1",
        [hostname],
      );
      const second = await startEdgeProcess(env);
      await until(async () => (await readStatus(hostname)) === "issued");
      assert.equal(acme.count("order", true), 1);
      assert.equal(await second.signal("SIGTERM"), 0);
    });
  }
});
