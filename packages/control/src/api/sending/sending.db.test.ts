import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { type Answer, call, codeOf } from "@mooring/testing/control/http";
import {
  freshZone,
  lines,
  type MailApp,
  startMailApp,
  type WireRecord,
} from "@mooring/testing/control/mail-app";
import { mintToken } from "@mooring/testing/control/world";
import { type OpenedRuntime, openRuntime } from "../../process/open-runtime.ts";
import { checkLeasedSending, dueSending } from "../../services/sending/check.ts";

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const dkim = `p=${publicKey.export({ format: "der", type: "spki" }).toString("base64")}`;
const sendgrid = {
  provider: "sendgrid",
  inputs: { account_host: "u7.wl9.sendgrid.net", return_path: "em42" },
};
const secret = "re_secret_of_the_tenant";

interface Body {
  readonly status: string;
  readonly records: readonly (WireRecord & { readonly action: string; readonly status: string })[];
  readonly spf: { readonly action: string; readonly value: string } | null;
  readonly reads_account: boolean;
  readonly account_error: string | null;
}

function bodyOf(answer: Answer): Body {
  assert.equal(answer.status, 200, answer.text);
  const body = JSON.parse(answer.text) as Body & { readonly data?: readonly Body[] };
  const [first] = body.data ?? [body];
  assert.ok(first);
  return first;
}

/** An account at the three services; the domain is verified once it was asked for and allowed. */
class Account {
  domain = "";
  isGood = false;
  readonly asked: string[] = [];

  answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "", "http://account");
    this.asked.push(`${request.method} ${pathname}`);
    const body = this.bodyFor(request, pathname);
    response.writeHead(body === null ? 401 : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(body ?? { message: `${request.headers.authorization} is invalid` }),
    );
  }

  private bodyFor({ headers }: IncomingMessage, path: string): unknown {
    if (path.startsWith("/resend")) {
      if (headers.authorization !== `Bearer ${secret}`) return null;
      if (path === "/resend/domains") return { data: [{ id: "d1", name: this.domain }] };
      const status = this.isGood ? "verified" : "pending";
      const returnPath = { record: "SPF", type: "MX", name: "send", value: "feedback" };
      const key = { record: "DKIM", type: "TXT", name: "resend._domainkey", value: dkim };
      return { status, region: "eu-west-1", records: [returnPath, key] };
    }
    if (path.startsWith("/postmark")) {
      if (headers["x-postmark-account-token"] !== secret) return null;
      const Domains = [{ ID: 7, Name: this.domain }];
      if (path === "/postmark/domains") return { TotalCount: 1, Domains };
      return {
        DKIMVerified: false,
        DKIMPendingHost: `2026pm._domainkey.${this.domain}`,
        DKIMPendingTextValue: `k=rsa;${dkim}`,
        ReturnPathDomain: "",
      };
    }
    // RFC 9110: the signature's scope names day, region and service.
    if (!/Credential=AKID\/\d{8}\/eu-west-1\/ses\//.test(headers.authorization ?? "")) return null;
    const Tokens = ["a", "b", "c"].map((letter) => letter.repeat(32));
    return { DkimAttributes: { Tokens, SigningHostedZone: "dkim.amazonses.com" } };
  }
}

describe("sending domains", () => {
  let mail: MailApp;
  let worker: OpenedRuntime;
  let server: Server;
  const account = new Account();
  const { signal } = new AbortController();

  before(async () => {
    server = createServer((request, response) => account.answer(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    mail = await startMailApp(
      {},
      { SENDING_API_URL: `http://127.0.0.1:${port}`, EGRESS_ALLOW: "127.0.0.0/8" },
    );
    const { config, databaseUrl: url, clock } = mail.app;
    const { log } = mail.app.operator;
    worker = await openRuntime(config, {
      url,
      role: "mooring_worker",
      name: "worker",
      clock,
      log,
    });
  });
  after(async () => {
    await worker.close();
    await mail.close();
    server.close();
  });

  const at = (id: string, action = "") => `/v1/connections/${id}/sending${action}`;
  const apply = (id: string, body: unknown, key = mail.key) =>
    call(mail.app.api.url, at(id, ":apply"), { key, body });
  const check = async (id: string) =>
    bodyOf(await call(mail.app.api.url, at(id, ":check"), { key: mail.key, method: "POST" }));

  /** What a worker does with the rows that are due. */
  async function work(): Promise<number> {
    const now = mail.app.clock.now();
    const rows = dueSending(worker.runtime);
    const claimed = await rows.claim(now, new Date(now.getTime() + 30_000), 100, []);
    for (const row of claimed) assert.ok(await checkLeasedSending(worker.runtime, row, signal));
    return claimed.length;
  }

  async function events(id: string): Promise<string[]> {
    const { data } = (
      await call(mail.app.api.url, "/v1/events?limit=100", { key: mail.key })
    ).json() as {
      data: { type: string; sequence: number; data: { connection: { id: string } | null } }[];
    };
    const own = data.filter((event) => event.data.connection?.id === id).reverse();
    const sequences = own.map(({ sequence }) => sequence);
    assert.deepEqual([...new Set(sequences)].sort(), sequences.sort());
    return own.map(({ type }) => type).filter((type) => type.startsWith("sending."));
  }

  it("are written, watched, and reported when they are right and when they break", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const before = await mail.records(zone);
    const made = bodyOf(await apply(id, sendgrid));
    assert.equal(made.status, "waiting");
    assert.deepEqual(
      made.records.map(({ action }) => action),
      ["written", "written", "written", "written"],
    );
    const written = lines(made.records, zone);
    const now = lines(await mail.records(zone), zone);
    assert.deepEqual(now, [...lines(before, zone), ...written].sort());
    assert.ok((await work()) >= 1);
    const [ready] = (await call(mail.app.api.url, at(id), { key: mail.key })).json()[
      "data"
    ] as Body[];
    assert.equal(ready?.status, "ready");
    assert.deepEqual(await events(id), ["sending.ready"]);
    await mail.put(
      zone,
      (await mail.records(zone)).filter(({ host }) => !host.startsWith("s2.")),
    );
    assert.equal((await check(id)).status, "ready");
    assert.equal((await check(id)).status, "broken");
    assert.deepEqual(await events(id), ["sending.ready", "sending.broken"]);
    assert.equal(bodyOf(await apply(id, { provider: "sendgrid" })).status, "broken");
    assert.equal((await check(id)).status, "ready");
    assert.deepEqual((await events(id)).at(-1), "sending.ready");
  });

  it("replace nothing, and hand over the merged SPF record", async () => {
    const zone = freshZone();
    const existing = [
      { host: "@", type: "TXT", value: "v=spf1 include:old.example -all" },
      { host: "mta._domainkey", type: "TXT", value: "v=DKIM1; p=abc" },
    ];
    const id = await mail.proven(mail.withCredential, zone, existing);
    const before = await mail.records(zone);
    const inputs = { dkim_selector: "mta", dkim_value: dkim };
    const made = bodyOf(await apply(id, { provider: "mailgun", inputs }));
    assert.deepEqual(
      made.records.map(({ action }) => action),
      ["manual", "manual", "written"],
    );
    assert.deepEqual(made.spf, {
      action: "replace",
      current: "v=spf1 include:old.example -all",
      value: "v=spf1 include:old.example include:mailgun.org -all",
    });
    const stays = lines(await mail.records(zone), zone);
    for (const line of lines(before, zone)) assert.ok(stays.includes(line), line);
  });

  it("are read from the tenant's account, which is asked to check once they are right", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    account.domain = zone;
    account.isGood = false;
    const answer = await apply(id, { provider: "resend", access: { api_key: secret } });
    const made = bodyOf(answer);
    assert.deepEqual(lines(made.records, zone), [
      "_dmarc TXT v=DMARC1; p=none",
      `resend._domainkey TXT ${dkim}`,
      "send MX 10 feedback-smtp.eu-west-1.amazonses.com",
      "send TXT v=spf1 include:amazonses.com ~all",
    ]);
    assert.equal(made.reads_account, true);
    account.asked.length = 0;
    assert.equal((await check(id)).status, "ready");
    assert.ok(account.asked.includes("POST /resend/domains/d1/verify"), account.asked.join());
    account.isGood = true;
    assert.equal((await check(id)).status, "accepted");
    assert.deepEqual(await events(id), ["sending.ready", "sending.accepted"]);
    // A customer's browser neither sees nor replaces the access.
    const token = await mintToken(mail.app, mail.key, mail.withCredential, zone);
    const seen = await call(mail.app.api.url, at(id), { key: token });
    assert.ok(!seen.text.includes(secret) && !answer.text.includes(secret));
    assert.equal((await apply(id, { provider: "resend", inputs: {} }, token)).status, 409);
    const input = { provider: "resend", access: { api_key: "x" } };
    assert.equal(codeOf(await apply(id, input, token)), "forbidden");
  });

  it("are read from Postmark and Amazon SES, too", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    account.domain = zone;
    const postmark = { provider: "postmark", access: { account_token: secret } };
    assert.ok(
      lines(bodyOf(await apply(id, postmark)).records, zone).includes(
        `2026pm._domainkey TXT k=rsa; ${dkim}`,
      ),
    );
    const access = { access_key_id: "AKID", secret_access_key: "s", region: "eu-west-1" };
    const [first = ""] = lines(
      bodyOf(await apply(id, { provider: "ses", access })).records,
      zone,
    ).filter((line) => line.includes("CNAME"));
    assert.match(first, /^a{32}\._domainkey CNAME a{32}\.dkim\.amazonses\.com$/);
  });

  it("are refused with the reason, and without a secret in it", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    account.domain = zone;
    const missing = await apply(id, { provider: "resend", inputs: {} });
    assert.match(missing.text, /inputs\.dkim_value/);
    assert.equal(missing.status, 400);
    const wrong = await apply(id, { provider: "resend", access: { api_key: `${secret}x` } });
    assert.deepEqual([wrong.status, codeOf(wrong)], [502, "provider_error"]);
    assert.ok(!wrong.text.includes(secret), wrong.text);
    assert.match(wrong.text, /removed/);
    account.domain = "other.test";
    const absent = await apply(id, { provider: "resend", access: { api_key: secret } });
    assert.match(absent.text, /add it there first/);
    const brevo = await apply(id, { provider: "brevo", access: { api_key: secret } });
    assert.equal(brevo.status, 400);
    const listed = await call(mail.app.api.url, at(id), { key: mail.key });
    assert.deepEqual(listed.json()["data"], []);
  });

  it("end with the connection, and on request", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.without, zone);
    const byHand = bodyOf(await apply(id, sendgrid));
    assert.deepEqual(
      byHand.records.map(({ action }) => action),
      ["manual", "manual", "manual", "manual"],
    );
    const remove = () =>
      call(mail.app.api.url, at(id, "/sendgrid"), { key: mail.key, method: "DELETE" });
    assert.deepEqual([(await remove()).status, (await remove()).status], [204, 404]);
    bodyOf(await apply(id, sendgrid));
    const path = `/v1/connections/${id}`;
    await call(mail.app.api.url, path, { key: mail.key, method: "DELETE" });
    await work();
    const listed = await call(mail.app.api.url, at(id), { key: mail.key });
    assert.deepEqual(listed.json()["data"], []);
  });
});
