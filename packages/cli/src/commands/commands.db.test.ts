import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { callCli, openTerminal, pipeToCli } from "@mooring/testing/cli/run-cli";
import { freshZone } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";

describe("mooring, for daily use", () => {
  let app: TestApp;
  let directory = "";
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: "true" });
    directory = await mkdtemp(path.join(tmpdir(), "mooring-commands-"));
    const { keys } = await app.tenant("Acme");
    env = { MOORING_URL: app.api.url, MOORING_API_KEY: keys.test };
  });
  after(async () => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });

  const mooring = (...args: readonly string[]) => callCli(args, env);

  async function answered(...args: readonly string[]): Promise<Record<string, unknown>> {
    const result = await mooring(...args, "--json");
    assert.equal(result.code, 0, result.stderr);
    return result.json();
  }

  async function file(name: string, content: string): Promise<string> {
    const target = path.join(directory, name);
    await writeFile(target, content);
    return target;
  }

  it("makes, shows, changes and lists applications, by id or name", async () => {
    const template = JSON.stringify([{ host: "@", type: "CNAME", value: "{{edge_cname}}" }]);
    const made = await answered(
      "apps",
      "create",
      "Shop",
      "--origin-url",
      "https://shop.example",
      "--allowed-origin",
      "https://a.example",
      "https://b.example",
      "--record-template",
      await file("template.json", template),
    );
    assert.deepEqual(made["allowed_origins"], ["https://a.example", "https://b.example"]);
    const changed = await answered("apps", "update", "Shop", "--name", "Store");
    assert.deepEqual([changed["id"], changed["name"]], [made["id"], "Store"]);
    const page = "https://c.example";
    const grown = await answered("apps", "update", "Store", "--add-allowed-origin", page);
    assert.deepEqual(grown["allowed_origins"], ["https://a.example", "https://b.example", page]);
    const shown = await mooring("apps", "show", "Store");
    assert.match(shown.stdout, /^Application +Store\n/);
    assert.match(shown.stdout, /HOST +TYPE +VALUE\n@ +CNAME +\{\{edge_cname\}\}/);
    const limited = await answered(
      "apps",
      "update",
      "Store",
      "--edge",
      "max_body_bytes=1000",
      "idle_timeout_s=30",
    );
    assert.partialDeepStrictEqual(limited["edge"], {
      max_body_bytes: 1_000,
      idle_timeout_s: 30,
      first_byte_timeout_s: null,
    });
    const reset = await mooring("apps", "update", "Store", "--edge", "max_body_bytes=null");
    assert.match(reset.stdout, /\nEdge +idle_timeout_s=30\n/);
    assert.equal((await mooring("apps", "update", "Store", "--edge", "idle")).code, 2);
    const several = await answered(
      "apps",
      "update",
      "Store",
      "--origin",
      "https://shop.example=3",
      "https://b.example",
      "--origin-server-name",
      "inside.example",
    );
    assert.deepEqual(several["origins"], [
      { url: "https://shop.example", weight: 3 },
      { url: "https://b.example", weight: 1 },
    ]);
    assert.match(
      (await mooring("apps", "show", "Store")).stdout,
      /\nServer name +inside\.example\n/,
    );
    const listed = await mooring("apps", "list");
    assert.match(listed.stdout, /Store +test +https:\/\/shop\.example/);
    assert.equal((await mooring("apps", "update", "Store")).code, 2);
    const broken = await file("broken.json", "{");
    const refused = await mooring("apps", "create", "X", "--record-template", broken);
    assert.match(refused.stderr, /is not a JSON list of records/);
  });

  it("makes a key that works until it is revoked, and shows it once", async () => {
    const made = await answered(
      "apps",
      "keys",
      "create",
      "Default",
      "ci",
      "--scope",
      "usage:read",
      "apps:admin",
    );
    const key = String(made["secret"]);
    const listed = await mooring("apps", "keys", "list", "Default");
    assert.match(listed.stdout, new RegExp(`ci +${key.slice(-4)} `));
    assert.ok(!listed.stdout.includes(key));
    const mine = { ...env, MOORING_API_KEY: key };
    assert.equal((await callCli(["usage"], mine)).code, 0);
    const forbidden = await callCli(["connections", "list"], mine);
    assert.equal(forbidden.code, 1);
    assert.match(forbidden.stderr, /this key may not do that: use one with the scope/);
    const id = String(made["id"]);
    assert.match((await mooring("apps", "keys", "revoke", "Default", id)).stdout, /is revoked/);
    const revoked = await callCli(["usage"], mine);
    assert.equal(revoked.code, 1);
    assert.match(revoked.stderr, /this test key is not known at http.*, or was revoked/);
    assert.ok(!revoked.stderr.includes(key));
    assert.equal(
      (await mooring("apps", "keys", "create", "Default", "x", "--scope", "all")).code,
      2,
    );
  });

  it("stores a credential from a pipe or a file, tests and deletes it", async () => {
    const added = await pipeToCli(
      ["credentials", "add", "sandbox", "--app", "Default", "--json"],
      env,
      "# mine\ntoken=sandbox\n",
    );
    assert.equal(added.code, 0, added.stderr);
    const id = String(added.json()["id"]);
    const tested = await mooring("credentials", "test", id, "--app", "Default");
    assert.deepEqual([tested.code, tested.stdout.startsWith("✔ it works")], [0, true]);
    const wrong = await file("fields.json", JSON.stringify({ token: "wrong" }));
    const bad = await answered(
      "credentials",
      "add",
      "sandbox",
      "--app",
      "Default",
      "--name",
      "bad",
      "--fields-file",
      wrong,
    );
    const failed = await mooring("credentials", "test", String(bad["id"]), "--app", "Default");
    assert.deepEqual([failed.code, failed.stdout.startsWith("✘ ")], [1, true]);
    for (const one of [id, String(bad["id"])]) {
      assert.equal((await mooring("credentials", "delete", one, "--app", "Default")).code, 0);
    }
    assert.match((await mooring("credentials", "list")).stdout, /There is no credential/);
  });

  it("says which fields a credential lacks, and never repeats what it was given", async () => {
    const add = (input: string) => callCli(["credentials", "add", "sandbox"], env, input);
    assert.match((await add('{"tokn":"hush"}')).stderr, /no field tokn\n.*fields are token/);
    assert.match((await add("delay=3")).stderr, /the field token is missing/);
    const garbled = await add("hush-hush");
    assert.deepEqual([garbled.code, garbled.stderr.includes("hush-hush")], [2, false]);
    assert.match((await mooring("credentials", "add", "sanbox")).stderr, /did you mean sandbox\?/);
  });

  it("asks for a credential's fields without showing what is typed", async (test) => {
    const terminal = openTerminal(["credentials", "add", "sandbox", "--app", "Default"], env);
    test.after(() => terminal.close());
    const prompted = async (what: RegExp, answer: string): Promise<void> => {
      await until(() => what.test(terminal.screen()), `${what}`);
      terminal.type(`${answer}\r`);
    };
    await prompted(/token: /i, "sandbox");
    await prompted(/empty\): /, "0");
    assert.equal(await terminal.ended, 0, terminal.screen());
    assert.match(terminal.screen(), /Does it work\?/);
    assert.doesNotMatch(terminal.screen(), /token: sandbox/i);
  });

  it("reads providers, usage, domains, mail records and widget tokens", async () => {
    const providers = await mooring("providers");
    assert.match(providers.stdout, /^SLUG +NAME +SETUP/);
    assert.match((await mooring("providers", "cloudflare")).stdout, /api_token +API token, secret/);
    assert.match(
      (await mooring("usage")).stdout,
      /^Plan +self_hosted\n[\s\S]*\nconnect +\d+ +none/,
    );
    assert.match((await mooring("usage", "--period", "soon")).stderr, /period/);
    const check = await mooring("domains", "check", `www.${freshZone()}`);
    assert.match(check.stdout, /Provider +Sandbox \(sandbox\)\n/);
    const mail = await mooring(
      "email",
      "records",
      "acme.example",
      "zoho",
      "--input",
      "data_centre=eu",
    );
    assert.match(mail.stdout, /acme\.example +MX +10 mx\.zoho\.eu\n/);
    assert.equal((await mooring("email", "records", "acme.example", "pigeon")).code, 2);
    const token = await answered("tokens", "create", "--app", "Default", "--domain", "a.acme.test");
    assert.match(String(token["auth_token"]), /^eyJ/);
  });

  it("writes sandbox zones from arguments, zone text and JSON", async () => {
    const zone = freshZone();
    const put = (...args: readonly string[]) => answered("sandbox", "put", zone, ...args);
    await put("www", "CNAME", "edge.localhost");
    const mx = await put("@", "MX", "10", `mail.${zone}`, "--add");
    assert.equal(Array.isArray(mx["records"]) && mx["records"].length, 2);
    const text = `$TTL 5m\n@ IN MX 20 mail ; ours\n  TXT "v=spf1 " "-all"\nwww 60 IN A 192.0.2.1\n`;
    await put("--file", await file("zone.txt", text));
    const shown = await mooring("sandbox", "show", zone);
    assert.match(shown.stdout, new RegExp(`\n${zone} +TXT +v=spf1 -all\n`));
    assert.match(shown.stdout, new RegExp(`\nwww\\.${zone} +A +192\\.0\\.2\\.1\n`));
    const piped = await callCli(
      ["sandbox", "put", zone, "--file", "-", "--nameserver", "ada.ns.cloudflare.com"],
      env,
      JSON.stringify({ records: [{ host: "@", type: "A", value: "192.0.2.2" }] }),
    );
    assert.match(piped.stdout, /at ada\.ns\.cloudflare\.com\n/);
    assert.match((await mooring("sandbox", "zones")).stdout, new RegExp(`${zone} +1 `));
    const bad = await mooring(
      "sandbox",
      "put",
      zone,
      "--file",
      await file("bad.txt", "a A 1\nb HINFO x"),
    );
    assert.deepEqual([bad.code, /line 2: there is no type HINFO/.test(bad.stderr)], [2, true]);
    assert.equal((await mooring("sandbox", "clear", zone)).code, 0);
    const empty = await mooring("sandbox", "show", zone);
    assert.match(empty.stdout, /The zone is empty/);
  });

  it("registers, tests, switches, renews and deletes a webhook receiver", async () => {
    const url = "http://127.0.0.1:9999/hooks";
    const made = await answered(
      "webhooks",
      "create",
      url,
      "--app",
      "Default",
      "--events",
      "domain.drift",
    );
    const id = String(made["id"]);
    assert.match(String(made["signing_secret"]), /^whsec_/);
    const sent = await answered("webhooks", "test", id);
    assert.match((await mooring("webhooks", "deliveries", id)).stdout, /endpoint\.test +pending/);
    assert.equal((await mooring("webhooks", "replay", id)).code, 2);
    assert.equal((await mooring("webhooks", "replay", id, String(sent["id"]))).code, 0);
    const again = await answered("webhooks", "replay", id, "--since", "2020-01-01T00:00:00Z");
    assert.equal(typeof again["replayed"], "number");
    assert.match((await mooring("webhooks", "disable", id)).stdout, / is off\n/);
    assert.match((await mooring("webhooks", "list", "--app", "Default")).stdout, / off +http/);
    assert.match((await mooring("webhooks", "enable", id)).stdout, / is on\n/);
    const renewed = await answered("webhooks", "rotate-secret", id);
    assert.notEqual(renewed["signing_secret"], made["signing_secret"]);
    assert.deepEqual(await answered("webhooks", "delete", id), { id, deleted: true });
    assert.match((await mooring("webhooks", "list")).stdout, /There is no receiver/);
  });

  it("shows deliveries to all receivers and who changed what, and deletes an application", async () => {
    const app = String((await answered("apps", "create", "Leaving"))["id"]);
    const url = "http://127.0.0.1:9999/hooks";
    const receiver = String((await answered("webhooks", "create", url, "--app", "Leaving"))["id"]);
    const sent = String((await answered("webhooks", "test", receiver))["id"]);
    const ids = async (...filter: readonly string[]) => {
      const { data } = await answered("deliveries", "list", "--receiver", receiver, ...filter);
      return (data as { id: string }[]).map(({ id }) => id);
    };
    assert.deepEqual(await ids("--status", "pending", "--event-type", "endpoint.test"), [sent]);
    assert.deepEqual(await ids("--status", "exhausted"), []);
    const shown = await mooring("deliveries", "show", sent);
    assert.match(shown.stdout, new RegExp(`^Delivery +${sent}\nEvent +endpoint\\.test`));
    assert.match(shown.stdout, /"type": "endpoint\.test"/);

    assert.deepEqual(await answered("apps", "delete", "Leaving"), { id: app, deleted: true });
    const audit = await mooring("audit", "--object", "application", "--object-id", app);
    assert.equal(audit.code, 0, audit.stderr);
    assert.match(audit.stdout, /^TIME +WHO +ACTION +OBJECT +FROM\n/);
    assert.match(audit.stdout, /key .* application\.delete +application /);
  });

  it("distinguishes a wrong key, a wrong address and an absent server", async () => {
    const typo = await callCli(["apps", "list"], { ...env, MOORING_API_KEY: "nonsense" });
    assert.equal(typo.code, 1);
    assert.match(typo.stderr, /a key begins with sk_test_ or sk_live_/);
    const away = `http://127.0.0.1:${await freePort()}`;
    const unreachable = await mooring("apps", "list", "--url", away);
    assert.equal(unreachable.code, 69);
    assert.match(unreachable.stderr, new RegExp(`nothing answers at ${away} \\(ECONNREFUSED\\)`));
    const asJson = await mooring("apps", "list", "--url", away, "--json");
    assert.match(asJson.stderr, /^\{"error":\{"code":"unreachable",/);
    assert.equal(asJson.stdout, "");
    const website = createServer((_request, response) => response.end("<!doctype html>"));
    website.listen(0, "127.0.0.1");
    await once(website, "listening");
    const { port } = website.address() as AddressInfo;
    const other = await mooring("apps", "list", "--url", `http://127.0.0.1:${port}`);
    website.close();
    assert.match(other.stderr, /is http:.*:\d+ the address of Mooring's API\?/);
    assert.equal((await mooring("apps", "list", "--url", "ftp://x")).code, 2);
  });

  it("answers misspelled commands with the right one, with --json as JSON", async () => {
    const mistyped = await mooring("connections", "wach", "x");
    assert.deepEqual([mistyped.code, /Did you mean watch\?/.test(mistyped.stderr)], [2, true]);
    const json = await mooring("webhook", "list", "--json");
    assert.equal(json.code, 2);
    assert.match(json.stderr, /^\{"error":\{"code":"usage","message":".*Did you mean webhooks\?/);
    const incomplete = await mooring("apps", "--json");
    assert.match(incomplete.stderr, /say which command/);
  });
});
