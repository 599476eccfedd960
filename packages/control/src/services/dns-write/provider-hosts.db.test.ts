import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, openCaller } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { codeOf } from "@mooring/testing/control/http";
import { recordRoutes } from "@mooring/testing/control/record-plan";
import { withoutLimits } from "@mooring/testing/control/world";

/**
 * A customer who writes records names the server of a self-hosted provider: it must not become a
 * way into the operator's network.
 */
describe("the server of a self-hosted provider", () => {
  let app: TestApp;
  let caller: Caller;
  let reached = 0;
  let count = 0;
  const web = createServer((_request, response) => {
    reached += 1;
    response.end("[]");
  });
  web.on("connection", () => {
    reached += 1;
  });
  const dns = createSocket("udp4", () => {
    reached += 1;
  });
  let [webPort, dnsPort] = [0, 0];
  before(async () => {
    app = await startTestApp({ ...withoutLimits, EGRESS_ALLOW: "" });
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.live);
    web.listen(0, "127.0.0.1");
    dns.bind(0, "127.0.0.1");
    await Promise.all([once(web, "listening"), once(dns, "listening")]);
    webPort = (web.address() as AddressInfo).port;
    dnsPort = dns.address().port;
  });
  after(async () => {
    web.close();
    dns.close();
    await app.close();
  });

  const internalHosts = (port: number): readonly string[] => [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `0.0.0.0:${port}`,
  ];

  async function apply(provider: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const made = await connect(caller, `shop${count++}.example.com`);
    const { apply } = recordRoutes(app.api.url, caller.key);
    const answer = await apply(made.id, { provider, fields, dry_run: true });
    // The same for an open port, a closed one and none: it tells nothing of the network.
    assert.equal(codeOf(answer), "provider_error", answer.text);
    assert.match(answer.text, /could not be reached/);
  }

  it("is never in the operator's network: PowerDNS and the panels", async () => {
    const username = "shop";
    const servers = internalHosts(webPort).map((host) => `https://${host}`);
    await Promise.all([
      ...servers.map((api_url) => apply("powerdns", { api_url, api_key: "key" })),
      ...servers.map((server) => apply("cpanel", { server, username, api_token: "key" })),
      ...servers.map((server) => apply("directadmin", { server, username, login_key: "key" })),
      ...servers.map((server) => apply("plesk", { server, secret_key: "key" })),
    ]);
    assert.equal(reached, 0);
  });

  it("is never in the operator's network: RFC 2136", async () => {
    const key_secret = Buffer.alloc(32, 7).toString("base64");
    const key = { key_name: "k", key_secret, key_algorithm: "hmac-sha256", zone: "x.example" };
    const servers = [...internalHosts(webPort), ...internalHosts(dnsPort)];
    await Promise.all(servers.map((server) => apply("rfc2136", { ...key, server })));
    assert.equal(reached, 0);
  });
});
