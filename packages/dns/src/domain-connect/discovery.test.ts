import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import type { Get } from "./discovery.ts";
import { discoverDomainConnect, templateSupport } from "./discovery.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface Provider {
  readonly fetch: Get;
  readonly asked: string[];
}

/** A provider's API on loopback; requests for any https host come to it. */
async function provider(context: TestContext, handle: Handle): Promise<Provider> {
  const asked: string[] = [];
  const server = createServer(handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    fetch: (url, init) => {
      asked.push(url);
      const { pathname, search } = new URL(url);
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
    },
  };
}

function json(body: unknown, status = 200): Handle {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

const settings = {
  providerId: "dns.example",
  providerName: "dns",
  providerDisplayName: "DNS Example",
  urlSyncUX: "https://consent.dns.example/index.php//",
  urlAsyncUX: null,
  urlAPI: "https://api.dns.example/",
  width: "800",
  height: 600,
  urlControlPanel: "https://panel.dns.example/?zone=%domain%",
  nameServers: ["NS1.dns.example."],
  market: "de",
};

function discover(given: Provider, ...texts: readonly string[]) {
  const { signal } = new AbortController();
  const recursive = records(...texts.map((text) => `_domainconnect.acme.example 60 TXT ${text}`));
  const resolver = memoryResolver({ zone: "acme.example", servers: {}, recursive });
  return discoverDomainConnect("acme.example", { resolver, fetch: given.fetch, signal });
}

function reasonOf(found: Awaited<ReturnType<typeof discover>>): string {
  return found.offered ? "offered" : found.reason;
}

describe("Domain Connect discovery", () => {
  test("reads the settings of the zone from the host that the TXT record names", async (t) => {
    const given = await provider(t, json(settings));
    const found = await discover(given, "api.dns.example/v4/dc/");
    assert.deepEqual(given.asked, ["https://api.dns.example/v4/dc/v2/acme.example/settings"]);
    assert.deepEqual(found, {
      offered: true,
      providerId: "dns.example",
      providerName: "DNS Example",
      urlSyncUX: "https://consent.dns.example/index.php",
      urlAsyncUX: null,
      urlAPI: "https://api.dns.example",
      width: 800,
      height: 600,
      urlControlPanel: "https://panel.dns.example/?zone=acme.example",
      nameServers: ["ns1.dns.example"],
    });
  });

  test("asks no host for a text that names none", async (t) => {
    const given = await provider(t, json(settings));
    const texts = [
      "google-site-verification=abc",
      "https://api.dns.example",
      "user@api.dns.example",
      "127.0.0.1",
      "127.0.0.1:8080/x",
      "localhost",
      "api.dns.example/../../admin",
      "api.dns.example/?q=1",
      "api.dns.example#x",
      "api.dns.example/%2e%2e",
      "api dns.example",
      "api.dns.example\\x",
      "[::1]",
      "0x7f.1",
    ];
    for (const text of texts) assert.equal(reasonOf(await discover(given, text)), "invalid_record");
    assert.deepEqual(given.asked, []);
  });

  test("tries several records in order, three at most, skipping unrelated texts", async (t) => {
    const given = await provider(t, (request, response) => {
      const isGood = request.url?.startsWith("/good/") === true;
      json(isGood ? settings : {}, isGood ? 200 : 404)(request, response);
    });
    const found = await discover(given, "v=spf1 -all", "a.example", "b.example/good");
    assert.equal(reasonOf(found), "offered");
    const many = ["a.example", "b.example", "c.example", "d.example/good"];
    assert.equal(reasonOf(await discover(given, ...many)), "zone_not_found");
  });

  test("distinguishes temporary from permanent refusals", async (t) => {
    const { signal } = new AbortController();
    const given = await provider(t, json(settings));
    const zone = { zone: "acme.example", servers: {} };
    const ask = (resolver: ReturnType<typeof memoryResolver>) =>
      discoverDomainConnect("acme.example", { resolver, fetch: given.fetch, signal });
    const failing = memoryResolver({ ...zone, recursive: "servfail" });
    assert.deepEqual(await ask(failing), { offered: false, reason: "dns_failure" });
    assert.deepEqual(await ask(memoryResolver(zone)), { offered: false, reason: "no_record" });
    for (const [status, reason] of [
      [404, "zone_not_found"],
      [500, "settings_unavailable"],
      [403, "settings_unavailable"],
      [302, "settings_unavailable"],
    ] as const) {
      const answering = await provider(t, json({}, status));
      assert.equal(reasonOf(await discover(answering, "api.dns.example")), reason);
    }
  });

  test("takes a host that cannot be reached, breaks off or sends too much for unavailable", async (t) => {
    const removed: Provider = {
      asked: [],
      fetch: () => Promise.reject(new Error("refused address")),
    };
    assert.equal(reasonOf(await discover(removed, "api.dns.example")), "settings_unavailable");
    const broken = await provider(t, (_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => response.destroy());
    });
    assert.equal(reasonOf(await discover(broken, "api.dns.example")), "settings_unavailable");
    const huge = await provider(t, json({ ...settings, padding: "x".repeat(70_000) }));
    assert.equal(reasonOf(await discover(huge, "api.dns.example")), "settings_unavailable");
  });

  test("refuses settings that are not what the protocol promises", async (t) => {
    const bodies: readonly unknown[] = [
      [],
      "text",
      null,
      { ...settings, urlAPI: undefined },
      { ...settings, urlAPI: "http://api.dns.example" },
      { ...settings, urlAPI: "https://api.dns.example/?x=1" },
      { ...settings, urlSyncUX: "javascript:alert(1)" },
      { ...settings, urlSyncUX: 7 },
      { ...settings, providerName: 7, providerDisplayName: undefined },
      { ...settings, providerName: "\u202e", providerDisplayName: "" },
      { ...settings, crit: ["market"] },
      { ...settings, crit: "providerId" },
    ];
    for (const body of bodies) {
      const given = await provider(t, json(body));
      const reason = reasonOf(await discover(given, "api.dns.example"));
      assert.equal(reason, "settings_invalid", JSON.stringify(body));
    }
    const notJson = await provider(t, (_request, response) => response.end("<html>"));
    assert.equal(reasonOf(await discover(notJson, "api.dns.example")), "settings_invalid");
  });

  test("shows what is odd but harmless in a usual form", async (t) => {
    const odd = {
      ...settings,
      providerId: undefined,
      width: "wide",
      height: 1e9,
      urlControlPanel: "javascript:alert(1)",
      nameServers: "ns1",
      crit: ["urlSyncUX"],
    };
    const found = await discover(await provider(t, json(odd)), "api.dns.example");
    assert.ok(found.offered);
    const { providerId, width, height, urlControlPanel, nameServers } = found;
    assert.deepEqual(
      { providerId, width, height, urlControlPanel, nameServers },
      { providerId: null, width: 750, height: 750, urlControlPanel: null, nameServers: [] },
    );
  });

  test("ends with the caller's signal, and with nothing else", async (t) => {
    const caller = new AbortController();
    const silent = await provider(t, () => caller.abort(new Error("client gone")));
    const resolver = memoryResolver({
      zone: "acme.example",
      servers: {},
      recursive: records("_domainconnect.acme.example 60 TXT api.dns.example"),
    });
    const options = { resolver, fetch: silent.fetch, signal: caller.signal };
    await assert.rejects(discoverDomainConnect("acme.example", options), /client gone/);
  });
});

test("a template is supported by any 2xx, not by 404, and unknown otherwise", async (t) => {
  const { signal } = new AbortController();
  const template = { providerId: "mooring.example", serviceId: "sub" };
  for (const [status, expected] of [
    [200, "supported"],
    [204, "supported"],
    [404, "unsupported"],
    [500, "unknown"],
    [301, "unknown"],
  ] as const) {
    const given = await provider(t, (_request, response) => response.writeHead(status).end());
    const options = { fetch: given.fetch, signal };
    assert.equal(await templateSupport("https://api.dns.example/v", template, options), expected);
    assert.deepEqual(given.asked, [
      "https://api.dns.example/v/v2/domainTemplates/providers/mooring.example/services/sub",
    ]);
  }
});
