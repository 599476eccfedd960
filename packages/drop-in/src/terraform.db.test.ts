import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call } from "@mooring/testing/control/http";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";
import {
  type Attributes,
  applyAnswer,
  encode,
  listChanges,
  readResources,
  refresh,
  type Schema,
} from "@mooring/testing/drop-in/terraform";
import { dropIns } from "./index.ts";

const onOff = { kind: "optional" } as const;

/** cloudflare/terraform-provider-cloudflare a2efdc5, internal/services/custom_hostname/model.go */
const customHostname: Schema = {
  id: { kind: "computed" },
  hostname: { kind: "required" },
  ssl: {
    kind: "optional",
    fields: {
      bundle_method: { kind: "computed_optional", byDefault: "ubiquitous" },
      certificate_authority: { kind: "computed_optional" },
      cloudflare_branding: { kind: "optional", isRetained: true },
      custom_certificate: { kind: "optional" },
      custom_csr_id: { kind: "optional" },
      custom_key: { kind: "optional" },
      method: { kind: "optional" },
      settings: {
        kind: "optional",
        fields: {
          ciphers: onOff,
          early_hints: onOff,
          http2: onOff,
          min_tls_version: onOff,
          tls_1_3: onOff,
        },
      },
      type: { kind: "optional" },
      wildcard: { kind: "optional" },
    },
  },
  custom_origin_server: { kind: "optional" },
  custom_origin_sni: { kind: "optional" },
  custom_metadata: { kind: "optional" },
  created_at: { kind: "computed" },
  status: { kind: "computed" },
  verification_errors: { kind: "computed" },
  ownership_verification: { kind: "computed" },
  ownership_verification_http: { kind: "computed" },
};

/** The same repository, internal/services/custom_hostname_fallback_origin/model.go */
const fallbackOrigin: Schema = {
  origin: { kind: "required" },
  created_at: { kind: "computed" },
  status: { kind: "computed" },
  updated_at: { kind: "computed" },
  errors: { kind: "computed" },
};

describe("Terraform's requests", () => {
  let app: TestApp;
  let world: World;
  let hcl: string;
  before(async () => {
    app = await startTestApp(withoutLimits, { dropIns });
    world = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
    const document = path.resolve(import.meta.dirname, "../../../docs/terraform.md");
    hcl = await readFile(document, "utf8");
  });
  after(() => app.close());

  async function send(method: string, url: string, body?: object): Promise<Answer> {
    const { key } = world;
    const headers = { "user-agent": "terraform-provider" };
    const options = { key, method, headers };
    return call(app.api.url, url, body === undefined ? options : { ...options, body });
  }

  async function succeed(status: number, method: string, url: string, body?: object) {
    const answer = await send(method, url, body);
    assert.equal(answer.status, status, `${method} ${url}: ${answer.text}`);
    return answer.json();
  }

  describe("of Cloudflare's provider", () => {
    const base = "/compat/cloudflare/client/v4";
    const bareId = () => world.applicationId.replaceAll("-", "");
    const zone = () => `${base}/zones/${bareId()}`;

    function resources(type: string): readonly Attributes[] {
      return readResources(hcl, type, {
        'replace(var.mooring_app, "-", "")': bareId(),
      });
    }

    const resultOf = (answer: Record<string, unknown>) => answer["result"] as Attributes;

    it("carry a key that its schema accepts", () => {
      assert.match(world.key, /^[0-9A-Za-z\-_]{40,80}$/);
    });

    const changes: readonly Attributes[] = [
      { custom_origin_server: "eu.acme.example", custom_metadata: { customer: "42" } },
      { ssl: { method: "http", type: "dv", settings: { min_tls_version: "1.2", http2: "on" } } },
      {
        custom_origin_sni: "sni.acme.example",
        ssl: {
          method: "txt",
          type: "dv",
          wildcard: false,
          certificate_authority: "google",
          settings: { min_tls_version: "1.3", ciphers: ["AES128-SHA"], http2: "off" },
        },
      },
    ];

    it("create, read, change, import and delete the hostname of the document, without drift", async () => {
      const [documented, ...others] = resources("cloudflare_custom_hostname");
      assert.ok(documented !== undefined && others.length === 0);
      const { zone_id: zoneId, ...first } = documented;
      assert.equal(zoneId, bareId());
      const collection = `${zone()}/custom_hostnames`;
      const body = encode(customHostname, first);
      const created = resultOf(await succeed(201, "POST", collection, body));
      let state = applyAnswer(customHostname, first, created);
      const item = `${collection}/${state["id"]}`;
      const read = async () => {
        state = refresh(customHostname, state, resultOf(await succeed(200, "GET", item)));
      };
      await read();
      assert.deepEqual(listChanges(customHostname, first, state), []);
      let configured = first;
      for (const change of changes) {
        configured = { ...configured, ...change };
        assert.notDeepEqual(listChanges(customHostname, configured, state), []);
        // With `ssl` set, the provider sends all that is configured and not what has changed.
        const patch = encode(customHostname, configured);
        const changed = resultOf(await succeed(202, "PATCH", item, patch));
        state = applyAnswer(customHostname, configured, changed);
        await read();
        assert.deepEqual(listChanges(customHostname, configured, state), []);
      }
      const imported = refresh(customHostname, {}, resultOf(await succeed(200, "GET", item)));
      assert.deepEqual(imported, state);
      await succeed(200, "DELETE", item);
      assert.equal((await send("GET", item)).status, 404, "it is dropped from the state");
    });

    it("cannot remove an attribute, which the next plan shows again", async () => {
      const ssl = { method: "http", type: "dv" };
      const full = { hostname: "removed.terraform.test", ssl, custom_metadata: { customer: "42" } };
      const collection = `${zone()}/custom_hostnames`;
      const made = resultOf(await succeed(201, "POST", collection, encode(customHostname, full)));
      const without = { hostname: full.hostname, ssl };
      const item = `${collection}/${made["id"]}`;
      await succeed(202, "PATCH", item, encode(customHostname, without));
      const state = refresh(customHostname, {}, resultOf(await succeed(200, "GET", item)));
      assert.deepEqual(listChanges(customHostname, without, state), ["custom_metadata"]);
    });

    it("set, read, change, import and remove the fallback origin, without drift", async () => {
      const [documented] = resources("cloudflare_custom_hostname_fallback_origin");
      assert.ok(documented !== undefined);
      const { zone_id: zoneId, ...first } = documented;
      assert.equal(zoneId, bareId());
      const url = `${zone()}/custom_hostnames/fallback_origin`;
      for (const configured of [first, { origin: "second.acme.example" }]) {
        const body = encode(fallbackOrigin, configured);
        const put = resultOf(await succeed(200, "PUT", url, body));
        const state = applyAnswer(fallbackOrigin, configured, put);
        const imported = refresh(fallbackOrigin, {}, resultOf(await succeed(200, "GET", url)));
        assert.deepEqual(listChanges(fallbackOrigin, configured, imported), []);
        assert.deepEqual(imported, state);
      }
      await succeed(200, "DELETE", url);
    });
  });

  // vercel/terraform-provider-vercel c8a6711, vercel/resource_project_domain.go and client/.
  describe("of Vercel's provider", () => {
    const base = "/compat/vercel";

    interface Configured {
      readonly domain: string;
      readonly redirect?: string;
      readonly redirect_status_code?: number;
      readonly git_branch?: string;
      readonly custom_environment_id?: string;
    }

    const item = (domain: string) =>
      `${base}/v9/projects/${world.applicationId}/domains/${domain}?teamId=team_x`;

    async function readConfig(domain: string): Promise<boolean> {
      const query = `projectIdOrName=${world.applicationId}&teamId=team_x`;
      const config = await succeed(200, "GET", `${base}/v6/domains/${domain}/config?${query}`);
      const ranked = config["recommendedCNAME"] as readonly { readonly rank: number }[];
      assert.ok(ranked.some(({ rank }) => rank === 1));
      return config["misconfigured"] as boolean;
    }

    /** Every attribute of an answer is stored; where it is not as configured, the apply fails. */
    function assertAsConfigured(answer: Record<string, unknown>, configured: Configured): void {
      assert.deepEqual(
        {
          domain: answer["name"],
          project_id: answer["projectId"],
          redirect: answer["redirect"],
          redirect_status_code: answer["redirectStatusCode"],
          git_branch: answer["gitBranch"],
          custom_environment_id: answer["customEnvironmentId"],
        },
        {
          domain: configured.domain,
          project_id: world.applicationId,
          redirect: configured.redirect ?? null,
          redirect_status_code: configured.redirect_status_code ?? null,
          git_branch: configured.git_branch ?? null,
          custom_environment_id: configured.custom_environment_id ?? null,
        },
      );
      assert.equal(typeof answer["verified"], "boolean");
    }

    async function create(configured: Configured): Promise<void> {
      await succeed(200, "GET", `${base}/v10/projects/${world.applicationId}?teamId=team_x`);
      const url = `${base}/v10/projects/${world.applicationId}/domains?teamId=team_x`;
      const { domain: name, redirect, redirect_status_code: redirectStatusCode } = configured;
      const body = { name, ...(redirect ? { redirect } : {}) };
      const status = redirectStatusCode ? { redirectStatusCode } : {};
      assertAsConfigured(await succeed(200, "POST", url, { ...body, ...status }), configured);
      assert.equal(await readConfig(name), true);
      assertAsConfigured(await succeed(200, "GET", item(name)), configured);
    }

    it("create, read, change, import and delete project domains, without drift", async () => {
      const apex = "terraform-vercel.test";
      const www = `www.${apex}`;
      await create({ domain: apex });
      await create({ domain: www, redirect: apex });
      const changes: readonly Configured[] = [
        { domain: www, redirect: apex, redirect_status_code: 307 },
        { domain: www, git_branch: "main" },
        { domain: www },
        { domain: www, custom_environment_id: "env_1" },
      ];
      for (const configured of changes) {
        const { custom_environment_id: environment } = configured;
        const body = {
          gitBranch: configured.git_branch ?? null,
          redirect: configured.redirect ?? null,
          redirectStatusCode: configured.redirect_status_code ?? null,
          ...(environment === undefined ? {} : { customEnvironmentId: environment }),
        };
        assertAsConfigured(await succeed(200, "PATCH", item(www), body), configured);
        assertAsConfigured(await succeed(200, "GET", item(www)), configured);
      }
      for (const domain of [www, apex]) {
        await readConfig(domain);
        await succeed(200, "DELETE", item(domain));
        assert.equal((await send("DELETE", item(domain))).status, 404);
        assert.equal((await send("GET", item(domain))).status, 404);
      }
    });
  });
});
