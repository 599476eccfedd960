import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { callCli, callOnTerminal } from "@mooring/testing/cli/run-cli";
import {
  type Caller,
  freshZone,
  issueCertificates,
  putZone,
} from "@mooring/testing/clients/connecting";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

const esc = "\u001b";

describe("mooring connections", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    life = await startLifecycle({ env: { VALIDATION_ZONE: "validation.test" } });
    caller = await life.caller("Shop");
    env = { MOORING_URL: caller.base, MOORING_API_KEY: caller.key };
  });
  after(() => life.close());

  const mooring = (...args: readonly string[]) => callCli(["connections", ...args], env);

  async function create(hostname: string): Promise<string> {
    const made = await mooring("create", hostname, "--app", "Shop", "--json");
    assert.equal(made.code, 0, made.stderr);
    return String(made.json()["id"]);
  }

  it("are created, verified and archived by hostname", async () => {
    const hostname = `www.${freshZone()}`;
    const made = await mooring("create", hostname, "--app", "Shop");
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, new RegExp(`_service-challenge\\.${hostname} +TXT +service-verify=`));
    assert.match(made.stdout, new RegExp(`${hostname} +CNAME +edge\\.localhost`));

    const early = await mooring("verify", hostname);
    assert.equal(early.code, 1);
    assert.match(early.stdout, /found {5}nothing\n {2}absent {4}a\.ns\.sandbox\.test/);
    assert.match(early.stderr, /^mooring: .*\nmooring: `mooring connections diagnose` says/);
    const unseen = await mooring("check", hostname);
    assert.deepEqual([unseen.code, /CNAME .* no /.test(unseen.stdout)], [1, true]);

    const diagnosis = await mooring("diagnose", hostname);
    assert.equal(diagnosis.code, 1);
    assert.match(diagnosis.stdout, /✘ The ownership record .* ownership_missing\n/);
    assert.match(diagnosis.stdout, /Who {3}who manages the domain's DNS\n {4}Fix {3}At Sandbox/);

    const published = await callCli(["sandbox", "publish", hostname], env);
    assert.equal(published.code, 0, published.stderr);
    const proven = await mooring("verify", hostname, "--json");
    assert.equal(proven.code, 0, proven.stderr);
    assert.notEqual(proven.json()["state"], "pending_ownership");
    assert.equal((await mooring("check", hostname)).code, 0);
    const events = await mooring("events", hostname);
    assert.match(events.stdout, /pending_ownership → verified/);
    const shown = await mooring("show", hostname);
    assert.match(shown.stdout, /^Hostname .*\nId .*\nState /);

    const removed = await mooring("delete", hostname, "--json");
    assert.deepEqual([removed.code, removed.json()["state"]], [0, "archived"]);
    const listed = await mooring("list", "--state", "archived", "--hostname", hostname);
    assert.match(listed.stdout, new RegExp(`^ID .*\n\\S+ +${hostname} +archived `));
  });

  it("are redirected and get an origin of their own, and lose both", async () => {
    const zone = freshZone();
    const [from, to] = [`www.${zone}`, `shop.${zone}`];
    await create(from);
    await create(to);
    const url = "https://eu.example.com";
    const set = await mooring("update", from, "--redirect-to", to, "--origin-url", url, "--json");
    assert.equal(set.code, 0, set.stderr);
    assert.deepEqual([set.json()["redirect_to"], set.json()["origin_url"]], [to, url]);
    const shown = await mooring("show", from);
    assert.match(shown.stdout, new RegExp(`\nRedirects to +${to}\nOrigin +${url}\n`));
    const header = await mooring("update", from, "--origin-host-header", "origin");
    assert.match(header.stdout, /\nHost header +origin/);
    const none = ["--redirect-to", "none", "--origin-url", "none", "--origin-host-header", "none"];
    const reset = await mooring("update", from, ...none, "--json");
    const { redirect_to, origin_url, origin_host_header } = reset.json();
    assert.deepEqual([redirect_to, origin_url, origin_host_header], [null, null, null]);
    const ruled = await mooring("update", from, "--edge", "maintenance=off", 'deny=["192.0.2.1"]');
    assert.equal(ruled.code, 0, ruled.stderr);
    const rules = await mooring("show", from);
    assert.match(rules.stdout, /\nRules +deny=\["192\.0\.2\.1\/32"\] maintenance="off"\n/);
    const malformed = await mooring("update", from, "--edge", "deny=everybody");
    assert.equal(malformed.code, 1);
    assert.equal((await mooring("update", from)).code, 2);
    assert.equal((await mooring("update", from, "--redirect-to", from)).code, 1);
  });

  it("list by pages, say how to continue, and read all of them", async () => {
    const zone = freshZone();
    const names = ["a", "b", "c"].map((label) => `${label}.${zone}`);
    const batch = await mooring("create", ...names, "localhost", "--app", "Shop");
    assert.equal(batch.code, 1);
    assert.match(batch.stdout, /localhost +failed/);
    const first = await mooring("list", "--limit", "2");
    const cursor = /--cursor (\S+)/.exec(first.stdout)?.[1] ?? "";
    const second = await mooring("list", "--limit", "2", "--cursor", cursor, "--json");
    const { data, next_cursor } = second.json();
    assert.ok(Array.isArray(data) && data.length > 0 && next_cursor !== undefined);
    const all = await mooring("list", "--all");
    for (const name of names) assert.match(all.stdout, new RegExp(` ${name} `));
    assert.equal((await mooring("list", "--limit", "0")).code, 2);
  });

  it("are found by part of a name, by several states, by cause, and counted", async () => {
    const zone = freshZone();
    const mine = ["--customer-ref", "customer-of-list"];
    const made = await mooring("create", `a.${zone}`, `b.${zone}`, "--app", "Shop", ...mine);
    assert.equal(made.code, 0, made.stderr);
    assert.equal((await mooring("delete", `b.${zone}`)).code, 0);
    const label = zone.slice(5, 14);
    const names = async (...filter: readonly string[]) => {
      const listed = await mooring("list", "--q", label, ...filter, "--json");
      assert.equal(listed.code, 0, listed.stderr);
      const { data } = listed.json() as { data: { hostname: string }[] };
      return data.map(({ hostname }) => hostname[0]).sort();
    };
    assert.deepEqual(await names("--state", "archived", "live"), ["b"]);
    assert.deepEqual(await names("--state", "archived", "pending_ownership"), ["a", "b"]);
    assert.deepEqual(await names("--no-wildcard", "--app", "Shop", "--provider", "sandbox"), [
      "a",
      "b",
    ]);
    assert.deepEqual(await names("--wildcard"), []);
    assert.deepEqual(await names("--error-code", "hostname_conflict"), []);
    await create(`*.c.${zone}`);
    // Of an archived one, which no check changes any more.
    await life.session.query(
      "update connections set error_code = 'hostname_conflict' where hostname = $1",
      [`b.${zone}`],
    );
    assert.deepEqual(await names("--wildcard"), ["*"]);
    assert.deepEqual(await names("--no-wildcard", "--state", "pending_ownership"), ["a"]);
    assert.deepEqual(await names("--error-code", "hostname_conflict"), ["b"]);
    const unknown = await mooring("list", "--error-code", "no_such_code");
    assert.deepEqual([unknown.code, /error_code/.test(unknown.stderr)], [1, true]);
    const stuck = await mooring("list", "--q", label, "--sort", "stuck_since");
    assert.match(stuck.stdout, /^ID +HOSTNAME +STATE +SINCE +WHO +FINDING\n\S+ +a\..*\n/);
    const counted = await mooring("summary");
    assert.match(counted.stdout, /^STATE +CONNECTIONS\n/);
    assert.match(counted.stdout, /\narchived +\d+\n/);
    const retried = await mooring("certificate", "retry", `a.${zone}`);
    assert.equal(retried.code, 1, retried.stdout);
  });

  it("are watched from the first record to live: one line for each change", async () => {
    const hostname = `www.${freshZone()}`;
    const id = await create(hostname);
    const watching = mooring("watch", hostname, "--timeout", "240");
    assert.equal((await callCli(["sandbox", "publish", hostname], env)).code, 0);
    await life.reach(id, "issuing_cert");
    const halfway = await mooring("watch", id, "--until", "issuing_cert", "--json");
    assert.equal(halfway.code, 0, halfway.stderr);
    const { state, steps } = halfway.json();
    assert.equal(state, "issuing_cert");
    assert.deepEqual(steps, [
      { name: "ownership", status: "done" },
      { name: "records", status: "done" },
      { name: "certificate", status: "active" },
      { name: "live", status: "waiting" },
    ]);
    await issueCertificates(life.session);
    await life.reach(id, "live");
    const { code, stdout, stderr } = await watching;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Z {2}ownership is proven\n/);
    assert.match(stdout, new RegExp(`Z {2}https://${hostname} is served\n$`));
    assert.ok(!stdout.includes(esc));
  });

  it("are watched on a terminal in one block that is redrawn", async (test) => {
    const hostname = `www.${freshZone()}`;
    const id = await create(hostname);
    const terminal = callOnTerminal(["connections", "watch", hostname], { ...env, TERM: "xterm" });
    test.after(() => terminal.close());
    await until(() => /waiting for the proof/.test(terminal.screen()), "the first step");
    assert.equal((await callCli(["sandbox", "publish", hostname], env)).code, 0);
    await life.reach(id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(id, "live");
    assert.equal(await terminal.ended, 0);
    const screen = terminal.screen();
    for (const part of ["[6A", "[J", "[32m✔"]) assert.ok(screen.includes(esc + part), part);
    assert.ok(screen.includes(`${esc}[32mlive${esc}[0m`));
    assert.ok(screen.endsWith(`https://${hostname} is served\n`), screen.slice(-200));
  });

  it("show no colour on a terminal with NO_COLOR", async () => {
    const hostname = `www.${freshZone()}`;
    await create(hostname);
    const terminal = callOnTerminal(["connections", "show", hostname], {
      ...env,
      TERM: "xterm",
      NO_COLOR: "1",
    });
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen(), /State +pending_ownership/);
    assert.ok(!terminal.screen().includes(esc));
  });

  it("end after the timeout, with what to do next", async () => {
    const id = await create(`www.${freshZone()}`);
    const late = await mooring("watch", id, "--timeout", "0.2", "--json");
    assert.equal(late.code, 1);
    assert.match(late.stderr, /"code":"timeout".*mooring connections diagnose/);
  });

  it("show a plan, write it on request, and revert it", async () => {
    const zone = freshZone();
    const hostname = `www.${zone}`;
    const id = await create(hostname);
    await putZone(caller, zone, [{ host: hostname, type: "A", value: "192.0.2.9" }]);
    const inline = ["--provider", "sandbox", "--fields-file", "-"];
    const write = (verb: string, ...args: readonly string[]) =>
      callCli(["connections", verb, id, ...inline, ...args], env, "token=sandbox\n");

    assert.equal((await write("apply")).code, 2);
    const blocked = await write("apply", "--dry-run");
    assert.equal(blocked.code, 1);
    assert.match(blocked.stdout, /^Plan for zone-\w+\.test at sandbox, nothing is written yet\n/);
    assert.match(blocked.stdout, new RegExp(`\\+ _service-challenge\\.${hostname} TXT `));
    assert.match(blocked.stdout, new RegExp(`! ${hostname} CNAME edge\\.localhost`));
    assert.match(blocked.stdout, new RegExp(`there: ${hostname} A 192\\.0\\.2\\.9`));
    const change = /--replace (\S+)/.exec(blocked.stderr)?.[1] ?? "";

    const written = await write("apply", "--replace", change, "--yes");
    assert.equal(written.code, 0, written.stderr);
    assert.match(written.stdout, /^Written to zone-/);
    assert.match((await write("apply", "--dry-run")).stdout, /^Nothing to change in /);
    const reverted = await write("revert", "--yes", "--json");
    assert.equal(reverted.code, 0, reverted.stderr);
    assert.equal(reverted.json()["applied"], true);
    const zoneNow = await callCli(["sandbox", "show", zone], env);
    assert.match(zoneNow.stdout, /A +192\.0\.2\.9/);
  });

  it("say what is wrong with what they were given, and what to do", async () => {
    const unknown = await mooring("show", "0198c0de-0000-7000-8000-000000000000");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /a test key sees the test environment only/);
    const absent = await mooring("show", `www.${freshZone()}`);
    assert.match(absent.stderr, /there is no connection for www\..*\n.*mooring connections list/);
    const invalid = await mooring("create", "not a name", "--app", "Shop", "--json");
    assert.equal(invalid.code, 1);
    const { error } = JSON.parse(invalid.stderr) as { error: Record<string, unknown> };
    assert.deepEqual([error["code"], error["status"]], ["invalid", 400]);
    assert.match(String(error["message"]), /^hostname: /);
    const other = await mooring("create", "www.acme.test", "--app", "Shp");
    assert.match(other.stderr, /there is no application called Shp\n.*there are:\n.*Shop/);
  });

  it("are moved while they serve elsewhere: shown, switched and taken back", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const old = { host: hostname, type: "A", value: "203.0.113.46", ttl: 60, priority: null };
    await putZone(caller, zone, [{ host: hostname, type: "A", value: old.value, ttl: 60 }]);
    const ordinary = await create(`plain.${zone}`);
    const none = await mooring("cutover", ordinary);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /plain\S+ has no cut-over\nmooring: start one: .*--cutover/);
    const made = await mooring("create", hostname, "--app", "Shop", "--cutover", "--json");
    assert.equal(made.code, 0, made.stderr);
    const id = String(made.json()["id"]);
    const { value: challenge } = made.json()["ownership_challenge"] as { value: string };
    await putZone(caller, zone, [
      { host: hostname, type: "A", value: old.value, ttl: 60 },
      { host: `_service-challenge.${hostname}`, type: "TXT", value: challenge },
    ]);
    await life.reach(id, "propagating");
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-cli-"));
    const fields = path.join(directory, "token.env");
    await writeFile(fields, "token=sandbox\n");
    const sandbox = ["--provider", "sandbox", "--fields-file", fields];
    const early = await mooring("cutover", hostname, "--switch", "--yes", ...sandbox);
    assert.equal(early.code, 1);
    assert.match(early.stderr, /cannot be switched now/);
    // As checks leave it when all is prepared but one warning; no check changes it before it is
    // switched.
    const cutover = {
      status: "ready",
      ready_at: new Date().toISOString(),
      old_records: [old],
      ttl: 60,
      checks: [
        { code: "edge", ok: true, message: "Every edge serves it." },
        { code: "origin", ok: false, message: "The pages differ." },
      ],
      visitors_gone_at: null,
      cached_until: null,
      done_at: null,
      is_away: true,
    };
    await life.session.query(
      `update connections set cutover = $2, state = 'propagating', version = version + 1,
         leased_until = null, due_at = now() + interval '1 day' where id = $1`,
      [id, JSON.stringify(cutover)],
    );
    const shown = await mooring("cutover", hostname);
    assert.equal(shown.code, 0, shown.stderr);
    assert.equal(
      shown.stdout,
      `${hostname}: ready\n  ✓ Every edge serves it.\n  … The pages differ.\nThe old place:\n  ${hostname} A 203.0.113.46 (TTL 60)\n`,
    );
    assert.equal((await mooring("cutover", hostname, "--json")).json()["status"], "ready");
    const both = await mooring("cutover", hostname, "--switch", "--revert", "--yes");
    assert.deepEqual([both.code, /not both/.test(both.stderr)], [2, true]);
    const warned = await mooring("cutover", hostname, "--switch", "--yes", ...sandbox);
    assert.equal(warned.code, 1);
    assert.match(warned.stderr, /The pages differ/);
    const accept = ["--accept", "origin"];
    const dry = await mooring("cutover", hostname, "--switch", "--dry-run", ...accept, ...sandbox);
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, /edge\.localhost/);
    const switched = await mooring(
      "cutover",
      hostname,
      "--switch",
      "--yes",
      "--json",
      ...accept,
      ...sandbox,
    );
    assert.equal(switched.code, 0, switched.stderr);
    assert.equal(switched.json()["applied"], true);
    const after = await mooring("cutover", hostname);
    assert.match(after.stdout, /\nThe old server may be switched off from \d{4}-\S+ on\.\n$/);
    const reverted = await mooring("cutover", hostname, "--revert", "--yes", ...sandbox);
    assert.equal(reverted.code, 0, reverted.stderr);
    assert.match(
      (await mooring("cutover", hostname)).stdout,
      new RegExp(`^${hostname}: reverted\n`),
    );
  });
});
