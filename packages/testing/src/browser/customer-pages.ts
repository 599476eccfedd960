import assert from "node:assert/strict";
import {
  archive,
  type Caller,
  connect,
  openCaller,
  openSession,
  putZone,
  type ZoneLine,
} from "../clients/connecting.ts";
import type { TestApp } from "../control/app.ts";
import { call, textOf } from "../control/http.ts";

/** A page that a customer reads without a login, by the situation that it shows. */
export interface CustomerPage {
  readonly name: string;
  readonly url: string;
}

interface Stage {
  readonly caller: Caller;
  set(id: string, columns: string): Promise<unknown>;
  /** The address of the connection's share page. */
  share(id: string): Promise<string>;
}

const cloudflare = ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"];
const oldSite = (host: string): ZoneLine => ({
  host,
  type: "A",
  value: "203.0.113.44",
  ttl: 3_600,
});

/** What the app of `makeCustomerPages` is started with: a move can be prepared. */
export const customerPageSettings = { VALIDATION_ZONE: "validation.test" } as const;

/**
 * Pages about connections in every situation: the share page, the page that asks to remove a
 * record, and a customer's status page.
 */
export async function makeCustomerPages(app: TestApp): Promise<readonly CustomerPage[]> {
  const base = app.api.url;
  const { keys } = await app.tenant("Acme");
  const caller = await openCaller(base, keys.test, "Acme Shops");
  const session = await openSession(app.databaseUrl);
  const link = async (path: string, body: object) => {
    const made = await call(base, path, { key: keys.test, body });
    assert.equal(made.status, 201, made.text);
    return base + new URL(textOf(made, "url")).pathname;
  };
  const stage: Stage = {
    caller,
    set: (id, columns) => session.query(`update connections set ${columns} where id = $1`, [id]),
    share: (id) => link(`/v1/connections/${id}/share`, {}),
  };
  try {
    const pages = [...(await sharePages(stage)), await removal(stage, session)];
    await putStatus(stage);
    // The customer of a name that was disconnected has no other.
    const none = await connect(caller, "shop.none-share.test", { customer_ref: "none" });
    const empty = await link("/v1/status-links", { customer_ref: "none" });
    await archive(caller, none.id);
    const body = { customer_ref: "status" };
    return [
      ...pages,
      { name: "share-expired", url: `${base}/share/${"x".repeat(43)}` },
      { name: "status", url: await link("/v1/status-links", body) },
      { name: "status-none", url: empty },
    ];
  } finally {
    await session.end();
  }
}

async function sharePages(stage: Stage): Promise<readonly CustomerPage[]> {
  const { caller, set, share } = stage;
  const page = async (name: string, id: string) => ({ name, url: await share(id) });
  const open = await connect(caller, "shop.open-share.test");
  const guided = await connect(caller, "shop.guided-share.test");
  await putZoneAt(caller, "guided-share.test", [], cloudflare);
  const wrong = await connect(caller, "shop.wrong-share.test");
  await putZone(caller, "wrong-share.test", [
    { host: "shop", type: "CNAME", value: "old.example.net" },
    { host: "_service-challenge.shop", type: "TXT", value: "service-verify=of-another-setup" },
  ]);
  const said = `/v1/connections/${wrong.id}/records:check?added=true`;
  assert.equal((await call(caller.base, said, { key: caller.key, method: "POST" })).status, 200);
  await putZone(caller, "moving-share.test", [oldSite("shop"), oldSite("www")]);
  const moving = await connect(caller, "shop.moving-share.test", { cutover: true });
  const ready = await connect(caller, "www.moving-share.test", { cutover: true });
  const cutover = `cutover || '{"status":"ready","ready_at":"2026-11-18T00:00:00Z"}'::jsonb`;
  await set(ready.id, `state = 'propagating', cutover = ${cutover}`);
  const live = await connect(caller, "shop.live-share.test");
  const { target } = (await call(caller.base, `/v1/connections/${live.id}`, caller)).json();
  await putZone(caller, "live-share.test", [
    { host: "shop", type: "CNAME", value: String(target ?? "edge.localhost") },
  ]);
  await set(live.id, "state = 'live', error_code = null");
  const name = "xn--kse-qla.test";
  await putZone(caller, name, [oldSite("@")]);
  const body = { application_id: caller.applicationId, hostname: name };
  const pair = await call(caller.base, "/v1/connections:pair", { key: caller.key, body });
  const [apex] = pair.json()["connections"] as readonly { readonly id: string }[];
  assert.ok(apex, pair.text);
  return [
    await page("share-open", open.id),
    await page("share-guided", guided.id),
    await page("share-wrong", wrong.id),
    await page("share-preparing", moving.id),
    await page("share-ready", ready.id),
    await page("share-pair", apex.id),
    await page("share-done", live.id),
  ];
}

/** A name that was disconnected, and whose record still leads to us. */
async function removal(
  { caller, set, share }: Stage,
  session: Awaited<ReturnType<typeof openSession>>,
): Promise<CustomerPage> {
  const left = await connect(caller, "shop.left-share.test");
  const { target } = (await call(caller.base, `/v1/connections/${left.id}`, caller)).json();
  await putZone(caller, "left-share.test", [
    { host: "shop", type: "CNAME", value: String(target ?? "edge.localhost") },
  ]);
  await set(left.id, "state = 'live'");
  await archive(caller, left.id);
  await session.query(
    "update left_behind set seen = 'here', dangling_since = now() where connection_id = $1",
    [left.id],
  );
  return { name: "removal", url: await share(left.id) };
}

/** One domain of the customer in each of the situations that differ. */
async function putStatus({ caller, set }: Stage): Promise<void> {
  const finding = (code: string, actor: string, params: object) =>
    `finding = '${JSON.stringify({ code, actor, title: code, params })}'`;
  const rows: readonly (readonly [hostname: string, columns: string])[] = [
    ["shop.status-page.test", "state = 'live', last_checked_at = now()"],
    ["blog.status-page.test", `state = 'propagating', cutover = '{"status":"ready"}'`],
    ["new.status-page.test", "state = 'issuing_cert', last_checked_at = now()"],
    [
      "old.status-page.test",
      `state = 'drifted', ${finding("record_mismatch", "end_customer", { name: "old.status-page.test" })}`,
    ],
    ["wait.status-page.test", `state = 'stalled', ${finding("origin_missing", "tenant", {})}`],
  ];
  for (const [hostname, columns] of rows) {
    const { id } = await connect(caller, hostname, { customer_ref: "status" });
    await set(id, columns);
  }
}

async function putZoneAt(
  { base, key }: Caller,
  zone: string,
  records: readonly ZoneLine[],
  nameservers: readonly string[],
): Promise<void> {
  const body = { records, nameservers };
  const path = `/v1/sandbox/zones/${zone}/records`;
  const answer = await call(base, path, { key, method: "PUT", body });
  assert.equal(answer.status, 200, answer.text);
}
