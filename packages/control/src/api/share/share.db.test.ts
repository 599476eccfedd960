import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { mintToken } from "@mooring/testing/control/world";
import { sweepShares } from "../../services/share/links.ts";

const minute = 60_000;
const day = 1_440 * minute;
const origin = "http://10.20.30.40:9999";

describe("a shared page", () => {
  let app: TestApp;
  let key = "";
  let applicationId = "";
  let count = 0;

  before(async () => {
    app = await startTestApp({
      ORIGIN_ALLOW_PRIVATE: "true",
      VALIDATION_ZONE: "validation.test",
    });
    key = (await app.tenant("Acme")).keys.test;
    const body = { name: "Shop", origin_url: origin };
    applicationId = textOf(await call(app.api.url, "/v1/applications", { key, body }), "id");
  });
  after(() => app.close());

  async function connect(): Promise<{
    readonly id: string;
    readonly hostname: string;
    zone: string;
  }> {
    count += 1;
    const zone = `shared-${count}.test`;
    const hostname = `shop.${zone}`;
    const body = { application_id: applicationId, hostname };
    return {
      id: textOf(await call(app.api.url, "/v1/connections", { key, body }), "id"),
      hostname,
      zone,
    };
  }

  async function share(id: string, credential = key): Promise<{ url: string; path: string }> {
    const made = await call(app.api.url, `/v1/connections/${id}/share`, {
      key: credential,
      method: "POST",
    });
    assert.equal(made.status, 201, made.text);
    const url = textOf(made, "url");
    return { url, path: new URL(url).pathname };
  }

  function open(path: string): Promise<Answer> {
    return call(app.api.url, path);
  }

  it("is linked to by an address that cannot be guessed, for seven days", async () => {
    const { id } = await connect();
    const made = await call(app.api.url, `/v1/connections/${id}/share`, { key, method: "POST" });
    assert.match(textOf(made, "url"), /^http:\/\/api\.mooring\.example\/share\/[\w-]{43}$/);
    const left = Date.parse(textOf(made, "expires_at")) - app.clock.now().getTime();
    assert.ok(left <= 7 * day && left > 7 * day - minute);
    assert.notEqual((await share(id)).url, textOf(made, "url"));
  });

  it("shows the records and what is the matter, without a script and without a login", async () => {
    const { id, hostname } = await connect();
    const detail = (await call(app.api.url, `/v1/connections/${id}`, { key })).json();
    const page = await open((await share(id)).path);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    const challenge = detail["ownership_challenge"] as { name: string; value: string };
    for (const text of [hostname, challenge.value, challenge.name, "edge.localhost", "CNAME"]) {
      assert.ok(page.text.includes(text), text);
    }
    assert.match(page.text, /Not there yet/);
    assert.match(page.text, /Records still to add: 2 of 2/);
    assert.match(page.text, /Shop asks for the records below/);
    assert.doesNotMatch(page.text, /<h2 id="findings">/);
  });

  it("asks of a name that is prepared for nothing that visitors follow", async () => {
    const hostname = "busy.shared-prepare.test";
    const body = { application_id: applicationId, hostname, cutover: true };
    const made = await call(app.api.url, "/v1/connections", { key, body });
    const id = textOf(made, "id");
    const { path } = await share(id);
    const { text } = await open(path);
    assert.match(text, /Only prepare: busy\.shared-prepare\.test stays where it is now/);
    assert.match(text, /Lets Shop prepare the certificate; leads no visitor anywhere/);
    assert.doesNotMatch(text, /Leads visitors to Shop|edge\.localhost|needs to be put right/);
    const { text: file } = await open(`${path}/zone.txt`);
    assert.match(file, /^_acme-challenge\.busy\.shared-prepare\.test\..*CNAME/m);
    assert.doesNotMatch(file, /^busy\./m);
    const { findings } = (
      await call(app.api.url, `/v1/connections/${id}/diagnosis`, { key })
    ).json() as unknown as { findings: readonly { code: string; params?: object }[] };
    const codes = findings.map(({ code }) => code);
    assert.ok(codes.includes("cutover_preparing"), codes.join());
    assert.ok(!codes.includes("record_mismatch"), codes.join());
    const checked = await call(app.api.url, `/v1/connections/${id}/records:check`, {
      key,
      method: "POST",
    });
    const { records } = checked.json() as unknown as { records: readonly { host: string }[] };
    assert.deepEqual(
      records.map(({ host }) => host),
      [`_acme-challenge.${hostname}`],
    );
    const plan = await call(app.api.url, `/v1/connections/${id}/records:apply`, {
      key,
      body: { provider: "sandbox", fields: { token: "sandbox" }, dry_run: true },
    });
    assert.equal(plan.status, 200, plan.text);
    const { changes } = plan.json() as unknown as {
      changes: readonly { action: string; record: { host: string; value: string } }[];
    };
    const created = changes.filter(({ action }) => action === "create");
    assert.ok(created.length > 0 && created.every(({ record }) => record.host.startsWith("_")));
  });

  it("says how the records are added in a panel without an API, in its own words", async () => {
    const { id, zone } = await connect();
    const nameservers = ["docks18.rzone.de", "shades01.rzone.de"];
    const path = `/v1/sandbox/zones/${zone}/records`;
    await call(app.api.url, path, { key, method: "PUT", body: { records: [], nameservers } });
    const { text } = await open((await share(id)).path);
    for (const words of [
      '<a href="https://www.strato.de/apps/CustomerService" target="_blank" rel="noopener noreferrer">Open STRATO</a>',
      `Go to Domains › Domainverwaltung › ${zone} › DNS › TXT- und CNAME-Records.`,
      "Press “Weiteren Record erstellen” for each record below, and choose its type.",
      `Copy “Präfix” and “Wert” as shown here; STRATO adds ${zone} to the name by itself.`,
      "Press “Einstellungen übernehmen” to save.",
      '<dt>Präfix</dt><dd><code dir="ltr" data-copy="Präfix (CNAME)">shop</code>',
      '<code dir="ltr" data-copy="Wert (CNAME)">edge.localhost.</code>',
    ]) {
      assert.ok(text.includes(words), words);
    }
    assert.doesNotMatch(text, /<dt>TTL|have a section of their own|takes no/);
    assert.doesNotMatch(text, /Most DNS panels/, "the form is known");
  });

  it("is closed to search engines, caches, frames, foreign hosts and referrers", async () => {
    const { id } = await connect();
    const { headers } = await open((await share(id)).path);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(headers.get("x-robots-tag") ?? "", /noindex/);
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|http/);
  });

  it("follows DNS as it is now, record by record", async () => {
    const { id, zone } = await connect();
    const { path } = await share(id);
    const detail = (await call(app.api.url, `/v1/connections/${id}`, { key })).json();
    const challenge = detail["ownership_challenge"] as { name: string; value: string };
    await call(app.api.url, `/v1/sandbox/zones/${zone}/records`, {
      key,
      method: "PUT",
      body: {
        records: [
          { host: challenge.name, type: "TXT", value: challenge.value },
          { host: "shop", type: "CNAME", value: "elsewhere.test" },
        ],
      },
    });
    app.clock.advance(5 * minute);
    const page = await open(path);
    const [first, second] = [...page.text.matchAll(/<span class="chip \w+">([^<]+)</g)];
    assert.deepEqual([first?.[1], second?.[1]], ["Found", "Other value"]);
    const found = '<dt>Found</dt><dd><code dir="ltr">elsewhere.test</code> </dd>';
    const expected =
      '<dt>Expected</dt><dd><code dir="ltr" data-copy="Value (CNAME)">edge.localhost</code>';
    assert.ok(page.text.includes(found) && page.text.includes(expected), page.text);
    assert.match(page.text, /Something needs to be put right/);
    assert.doesNotMatch(page.text, /still to add|in place/);
  });

  it("shows nothing in red before anybody could act, as the diagnosis says", async () => {
    const tones = (text: string) =>
      [...text.matchAll(/class="(?:chip|status|finding) (\w+)"/g)].map(([, tone]) => tone);
    const read = async (id: string) => {
      const { path } = await share(id);
      const diagnosis = await call(app.api.url, `/v1/connections/${id}/diagnosis`, { key });
      return { early: diagnosis.json()["early"], tones: tones((await open(path)).text) };
    };
    /** Two names, since readers of one page share a check for a moment. */
    const inUse = async () => {
      const made = await connect();
      await call(app.api.url, `/v1/sandbox/zones/${made.zone}/records`, {
        key,
        method: "PUT",
        body: { records: [{ host: "shop", type: "A", value: "203.0.113.9" }] },
      });
      return made.id;
    };
    const calm = { early: true, tones: ["wait", "wait", "calm", "calm"] };
    assert.deepEqual(await read(await inUse()), calm);
    const said = await inUse();
    const check = `/v1/connections/${said}/records:check`;
    const polled = await call(app.api.url, check, { key, method: "POST" });
    assert.equal(polled.json()["early"], true, "a check alone says nothing");
    const added = await call(app.api.url, `${check}?added=true`, { key, method: "POST" });
    assert.equal(added.json()["early"], false);
    const red = { early: false, tones: ["bad", "wait", "wait", "bad"] };
    assert.deepEqual(await read(said), red);
    const late = await inUse();
    app.clock.advance(5 * minute);
    assert.deepEqual(await read(late), red);
  });

  it("does not say that a record is there after it was taken back", async () => {
    const { id, zone } = await connect();
    const detail = (await call(app.api.url, `/v1/connections/${id}`, { key })).json();
    const challenge = detail["ownership_challenge"] as { name: string; value: string };
    const put = (records: readonly object[]) =>
      call(app.api.url, `/v1/sandbox/zones/${zone}/records`, {
        key,
        method: "PUT",
        body: { records },
      });
    await put([{ host: challenge.name, type: "TXT", value: challenge.value }]);
    const verified = await call(app.api.url, `/v1/connections/${id}/verify`, {
      key,
      method: "POST",
    });
    assert.equal(verified.status, 200, verified.text);
    await put([]);
    const page = await open((await share(id)).path);
    const chips = [...page.text.matchAll(/<span class="chip \w+">([^<]+)</g)].map(
      ([, text]) => text,
    );
    assert.deepEqual(chips, ["Proven", "Not there yet"]);
    assert.match(page.text, /<main id="page" data-refresh="15"/);
  });

  it("speaks the reader's language, and another one when asked", async () => {
    const { id, hostname } = await connect();
    const { path } = await share(id);
    const inLanguage = (language: string, suffix = "") =>
      call(app.api.url, path + suffix, { headers: { "accept-language": language } });
    const german = await inLanguage("tlh, de-AT;q=0.8, fr;q=0.7");
    assert.equal(german.headers.get("content-language"), "de");
    assert.match(german.text, /<html lang="de" dir="ltr">/);
    assert.ok(german.text.includes(`${hostname} mit Shop verbinden`));
    const arabic = await inLanguage("de", "?lang=ar");
    assert.match(arabic.text, /<html lang="ar" dir="rtl">/);
    const expired = await call(app.api.url, `/share/${"B".repeat(43)}`, {
      headers: { "accept-language": "ja" },
    });
    assert.match(expired.text, /このリンクは無効になりました/);
  });

  it("shows the application's brand, and loads nothing but its logo from elsewhere", async () => {
    const brand = {
      name: "Harbour",
      logo_url: "https://cdn.harbour.example/logo.svg",
      color: "#0b6577",
      support_url: "mailto:help@harbour.example",
    };
    const patched = await call(app.api.url, `/v1/applications/${applicationId}`, {
      key,
      method: "PATCH",
      body: { brand },
    });
    assert.equal(patched.status, 200, patched.text);
    const { id, hostname } = await connect();
    const { path } = await share(id);
    const page = await open(path);
    assert.ok(page.text.includes(`Connect ${hostname} to Harbour`));
    assert.match(
      page.text,
      /<img class="logo" src="https:\/\/cdn\.harbour\.example\/logo\.svg" alt=""/,
    );
    assert.match(page.text, /<a href="mailto:help@harbour\.example"/);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /img-src data: https:\/\/cdn\.harbour\.example;/);
    const css = await open(`${path}/brand.css`);
    assert.deepEqual([css.status, css.text], [200, ":root { --brand: #0b6577; }\n"]);
    await call(app.api.url, `/v1/applications/${applicationId}`, {
      key,
      method: "PATCH",
      body: { brand: null },
    });
  });

  it("writes names as the provider's form wants them, and both forms for an unknown one", async () => {
    const { id, hostname, zone } = await connect();
    const page = await open((await share(id)).path);
    const shown = [...page.text.matchAll(/<code dir="ltr" data-copy="([^"]+)">([^<]+)</g)];
    const values = shown.map(([, , value]) => value);
    assert.ok(values.includes("shop") && values.includes("_service-challenge.shop"));
    assert.ok(values.includes(hostname) && values.includes(`_service-challenge.${hostname}`));
    const labels = shown.map(([, label]) => label);
    assert.equal(new Set(labels).size, labels.length, "every copy button has its own name");
    assert.ok(page.text.includes(zone));
  });

  it("offers the records as a zone file", async () => {
    const { id, hostname } = await connect();
    const file = await open(`${(await share(id)).path}/zone.txt`);
    assert.equal(file.status, 200);
    assert.equal(file.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(
      file.headers.get("content-disposition"),
      `attachment; filename="${hostname}.zone"`,
    );
    assert.match(
      file.text,
      /^_service-challenge\.shop\.shared-\d+\.test\.\t300\tIN\tTXT\t"service-verify=/m,
    );
    assert.match(file.text, /\tIN\tCNAME\tedge\.localhost\.$/m);
  });

  it("reveals nothing of the tenant, its keys, its servers or its other domains", async () => {
    const one = await connect();
    const other = await connect();
    const page = await open((await share(one.id)).path);
    for (const secret of [key, applicationId, one.id, other.hostname, "10.20.30.40", "Acme"]) {
      assert.ok(!page.text.includes(secret), secret);
    }
  });

  it("can be made with a widget token, within its own application and domain only", async () => {
    const { id, hostname } = await connect();
    const token = await mintToken(app, key, applicationId, hostname);
    assert.equal((await open((await share(id, token)).path)).status, 200);
    const other = await connect();
    const refused = await call(app.api.url, `/v1/connections/${other.id}/share`, {
      key: token,
      method: "POST",
    });
    assert.deepEqual([refused.status, codeOf(refused)], [404, "not_found"]);
  });

  it("ends with the connection, with the same page as an unknown link", async () => {
    const { id } = await connect();
    const { path } = await share(id);
    assert.equal((await open(path)).status, 200);
    await call(app.api.url, `/v1/connections/${id}`, { key, method: "DELETE" });
    const expired = await open(path);
    const never = await open(`/share/${"A".repeat(43)}`);
    const odd = await open("/share/x");
    assert.deepEqual([expired.status, never.status, odd.status], [404, 404, 404]);
    assert.equal(expired.text, never.text);
    assert.equal(expired.text, odd.text);
    assert.match(expired.text, /no longer valid/);
    const again = await call(app.api.url, `/v1/connections/${id}/share`, { key, method: "POST" });
    assert.deepEqual([again.status, codeOf(again)], [409, "conflict"]);
  });

  it("ends before its time when twenty newer links were made", async () => {
    const { id } = await connect();
    const first = await share(id);
    for (let made = 0; made < 19; made += 1) {
      app.clock.advance(1);
      await share(id);
    }
    assert.equal((await open(first.path)).status, 200);
    app.clock.advance(1);
    await share(id);
    assert.equal((await open(first.path)).status, 404);
  });

  it("does not log the token", async () => {
    const { id } = await connect();
    const { path } = await share(id);
    const token = path.split("/").at(-1) ?? "";
    await open(path);
    assert.ok(app.logLines.length > 0);
    assert.ok(!app.logLines.some((line) => line.includes(token)));
  });

  it("ends after seven days, and its row with the next sweep", async () => {
    const { id } = await connect();
    const { path } = await share(id);
    app.clock.advance(7 * day - minute);
    assert.equal((await open(path)).status, 200);
    app.clock.advance(minute);
    assert.equal((await open(path)).status, 404);
    await sweepShares(app.operator);
    const { rows } = await app.operator.database.pool.query(
      "select count(*)::int as left from share_links",
    );
    assert.deepEqual(rows, [{ left: 0 }]);
  });
});

describe("shared pages under a flood", () => {
  it("of one tenant's sandbox are checked as often as one of its keys may read", async () => {
    const app = await startTestApp({ RATE_LIMITS: "general=0.1:20,check=1000:1000" });
    try {
      const { keys, tenant } = await app.tenant("Acme");
      const send = (path: string, body: object) =>
        call(app.api.url, path, { key: keys.test, body });
      const application_id = textOf(await send("/v1/applications", { name: "Shop" }), "id");
      const hostnames = Array.from({ length: 30 }, (_, index) => `n${index}.flood.test`);
      await send("/v1/connections:batch", { application_id, hostnames });
      const tokens = hostnames.map(() => randomBytes(32).toString("base64url"));
      const hashes = tokens.map((token) => createHash("sha256").update(token).digest());
      await app.operator.database.pool.query(
        `insert into share_links
           (token_hash, tenant_id, environment, connection_id, created_at, expires_at)
         select h.hash, c.tenant_id, c.environment, c.id, $3, $3::timestamptz + interval '1 day'
         from (select id, tenant_id, environment, row_number() over (order by id) as number
               from connections where tenant_id = $2) c
         join unnest($1::bytea[]) with ordinality as h (hash, number) using (number)`,
        [hashes, tenant.id, app.clock.now()],
      );
      const visit = async (token: string) => (await call(app.api.url, `/share/${token}`)).status;
      const statuses = await Promise.all(tokens.map(visit));
      const served = statuses.filter((status) => status === 200);
      assert.equal(served.length, 20);
      assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
      const known = tokens[statuses.indexOf(200)] ?? "";
      assert.equal(await visit(known), 200, "it was checked a moment ago");
    } finally {
      await app.close();
    }
  });

  it("are refused with a page of their own, and a time to come back", async () => {
    const app = await startTestApp({ RATE_LIMITS: "check=0.1:3,unauthorized=0.1:2" });
    try {
      const statuses: number[] = [];
      let last: Answer | null = null;
      for (let visit = 0; visit < 3; visit += 1) {
        last = await call(app.api.url, `/share/${"A".repeat(43)}`);
        statuses.push(last.status);
      }
      assert.deepEqual(statuses, [404, 404, 429]);
      assert.match(last?.headers.get("retry-after") ?? "", /^\d+$/);
      assert.match(last?.text ?? "", /<h1>Too many requests<\/h1>/);
    } finally {
      await app.close();
    }
  });
});
