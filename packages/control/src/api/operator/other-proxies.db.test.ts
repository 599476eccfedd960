import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  issueCertificates,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { resumeTenant, suspendTenant } from "../../services/operator/tenant-states.ts";

interface Document {
  readonly http?: {
    readonly routers: Record<string, Record<string, unknown>>;
    readonly services: Record<string, { loadBalancer: { servers: { url: string }[] } }>;
    readonly middlewares?: Record<string, Record<string, unknown>>;
  };
}

describe("proxies of others as the edge", () => {
  let life: LifecycleApp;
  let caller: Caller;
  before(async () => {
    const env = {
      ORIGIN_ALLOW_PRIVATE: "false",
      EGRESS_ALLOW: "127.0.0.0/24",
      INTERNAL_PORT: String(await freePort()),
    };
    life = await startLifecycle({ env: { ...env, VALIDATION_ZONE: "validation.test" } });
    caller = await life.caller("Shop");
    await setOrigin({ origin_url: "http://127.0.0.1:3000" });
  });
  after(() => life.close());

  async function setOrigin(body: object): Promise<void> {
    const path = `/v1/applications/${caller.applicationId}`;
    const set = await call(caller.base, path, { key: caller.key, method: "PATCH", body });
    assert.equal(set.status, 200, set.text);
  }

  async function claimNames(
    zone: string,
    ...labels: readonly string[]
  ): Promise<readonly string[]> {
    const made = await Promise.all(labels.map((label) => connect(caller, `${label}${zone}`)));
    const proofs = made.map(({ hostname, challenge }) =>
      proofRecord({ id: "", hostname: hostname.replace(/^\*\./, ""), challenge }),
    );
    await putZone(caller, zone, [...proofs, ...made.map((one) => toEdge(one))]);
    for (const { id } of made) {
      await life.reach(id, labels.includes("*.") ? "propagating" : "issuing_cert");
    }
    return made.map(({ id }) => id);
  }

  async function traefik(query = ""): Promise<Document> {
    const answer = await fetch(`${life.app.api.internalUrl}/internal/traefik${query}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    return (await answer.json()) as Document;
  }

  it("answers ask as kamal-proxy calls it: a GET with host=, of which only 200 allows", async () => {
    const ask = async (host: string) => {
      const query = `host=${encodeURIComponent(host)}`;
      return (await fetch(`${life.app.api.internalUrl}/internal/ask?${query}`)).status;
    };
    const zone = freshZone();
    assert.equal(await ask(`shop.${zone}`), 403);
    await claimNames(zone, "shop.");
    assert.equal(await ask(`shop.${zone}`), 200);
    assert.equal(await ask(`SHOP.${zone}`), 200);
    assert.equal(await ask(`other.${zone}`), 403);
    assert.equal(await ask("127.0.0.1"), 400);
    assert.equal(await ask(""), 400);
  });

  it("lists routers and services for Traefik, with the names of its own configuration", async () => {
    const zone = freshZone();
    await claimNames(zone, "a.", "b.");
    const { http } = await traefik("?entry_points=websecure,web&cert_resolver=letsencrypt");
    const router = http?.routers[`a.${zone}`];
    assert.deepEqual(router, {
      rule: `Host(\`a.${zone}\`)`,
      service: router?.["service"],
      entryPoints: ["websecure", "web"],
      priority: 1_000,
      tls: { certResolver: "letsencrypt" },
    });
    assert.equal(http?.routers[`b.${zone}`]?.["service"], router["service"]);
    assert.deepEqual(http?.services[String(router["service"])], {
      loadBalancer: { servers: [{ url: "http://127.0.0.1:3000" }], passHostHeader: true },
    });
    assert.equal(http?.middlewares, undefined, "an empty section would be refused");
    const plain = (await traefik("?entry_points=we%20b`")).http?.routers[`a.${zone}`];
    assert.deepEqual([plain?.["entryPoints"], plain?.["tls"]], [undefined, {}]);
  });

  it("follows origins of their own, redirects and archiving, and leaves refused origins out", async () => {
    const zone = freshZone();
    const [main = "", other = "", inside = ""] = await claimNames(zone, "main.", "www.", "inside.");
    const patch = (id: string, body: object) =>
      call(caller.base, `/v1/connections/${id}`, { key: caller.key, method: "PATCH", body });
    await patch(main, { origin_url: "http://127.0.0.2:4000/eu", origin_host_header: "origin" });
    await patch(other, { redirect_to: `main.${zone}` });
    // The API refuses it; this one was set under another configuration.
    await life.session.query(
      "update connections set origin_url = 'http://10.0.0.1' where id = $1",
      [inside],
    );
    const { http } = await traefik();
    assert.deepEqual(
      Object.keys(http?.routers ?? {})
        .filter((name) => name.endsWith(zone))
        .sort(),
      [`main.${zone}`, `www.${zone}`],
    );
    const names = (http?.routers[`main.${zone}`]?.["middlewares"] ?? []) as string[];
    assert.deepEqual(
      names.map((name) => http?.middlewares?.[name]),
      [
        { headers: { customRequestHeaders: { Host: "127.0.0.2:4000" } } },
        { addPrefix: { prefix: "/eu" } },
      ],
    );
    assert.equal(
      http?.routers[`www.${zone}`]?.["middlewares"],
      undefined,
      "its target is not served yet",
    );
    await issueCertificates(life.session);
    await life.reach(main, "live");
    const redirecting = (await traefik()).http;
    const [redirect = ""] = (redirecting?.routers[`www.${zone}`]?.["middlewares"] ??
      []) as string[];
    assert.deepEqual(redirecting?.middlewares?.[redirect]?.["redirectRegex"], {
      regex: "^https?://[^/]+(.*)$",
      replacement: `https://main.${zone}\${1}`,
      permanent: true,
    });
    await call(caller.base, `/v1/connections/${other}`, { key: caller.key, method: "DELETE" });
    assert.equal((await traefik()).http?.routers[`www.${zone}`], undefined);
  });

  it("serve the maintenance page for a suspended tenant, which keeps its certificates", async () => {
    const own = await life.caller("Elsewhere");
    const zone = freshZone();
    const made = await connect(own, `shop.${zone}`);
    await putZone(own, zone, [proofRecord(made), toEdge(made)]);
    await life.reach(made.id, "issuing_cert");
    const hostname = made.hostname;
    const internal = (path: string) => fetch(`${life.app.api.internalUrl}/internal/${path}`);
    assert.equal((await internal(`route?domain=${hostname}`)).status, 404, "it has no origin yet");
    await suspendTenant(life.app.operator, "Elsewhere", null);
    const isMaintenance = async (answer: Response) => {
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get("retry-after"), "3600");
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(await answer.text(), /Under maintenance/);
    };
    await isMaintenance(await internal(`route?domain=${hostname}`));
    assert.equal((await internal(`ask?domain=${hostname}`)).status, 200);
    const { http } = await traefik("?cert_resolver=dns");
    const router = http?.routers[hostname];
    assert.deepEqual(router?.["tls"], { certResolver: "dns" });
    const service = http?.services[String(router?.["service"])];
    assert.deepEqual(service?.loadBalancer.servers, [{ url: life.app.api.internalUrl }]);
    const [middleware = ""] = (router?.["middlewares"] ?? []) as string[];
    assert.deepEqual(http?.middlewares?.[middleware], {
      replacePath: { path: "/internal/maintenance" },
    });
    await isMaintenance(await internal("maintenance"));
    const headers = { "accept-language": "ar" };
    const arabic = await fetch(`${life.app.api.internalUrl}/internal/maintenance`, { headers });
    assert.equal(arabic.headers.get("vary"), "accept-language");
    assert.match(await arabic.text(), /<html lang="ar" dir="rtl">[\s\S]*قيد الصيانة/);
    const set = await call(own.base, `/v1/applications/${own.applicationId}`, {
      key: own.key,
      method: "PATCH",
      body: { origin_url: "http://127.0.0.1:3000" },
    });
    assert.equal(set.status, 403);
    await resumeTenant(life.app.operator, "Elsewhere");
    assert.equal((await internal(`route?domain=${hostname}`)).status, 404);
    assert.equal((await traefik()).http?.routers[hostname], undefined);
  });

  it("lets the exact name win over the wildcard", async () => {
    const zone = freshZone();
    await claimNames(zone, "*.");
    const router = (await traefik("?cert_resolver=dns")).http?.routers[`wildcard.${zone}`];
    const pattern = `^[^.]+\\.${zone.replaceAll(".", "\\.")}$`;
    assert.equal(router?.["rule"], `HostRegexp(\`${pattern}\`)`);
    assert.match(`one.${zone}`, new RegExp(pattern));
    assert.doesNotMatch(`two.one.${zone}`, new RegExp(pattern));
    assert.equal(router["priority"], 1);
    assert.deepEqual(router["tls"], { certResolver: "dns", domains: [{ main: `*.${zone}` }] });
  });

  it("never lists hostnames on the public listener", async () => {
    assert.equal((await fetch(`${life.app.api.url}/internal/traefik`)).status, 404);
    const open = await startLifecycle();
    try {
      assert.equal((await fetch(`${open.app.api.url}/internal/traefik`)).status, 404);
    } finally {
      await open.close();
    }
  });
});
