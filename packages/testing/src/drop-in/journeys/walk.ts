import assert from "node:assert/strict";
import {
  type Caller,
  freshZone,
  issueCertificates,
  putZone,
  readState,
  type ZoneLine,
} from "../../clients/connecting.ts";
import { call } from "../../control/http.ts";
import type { LifecycleApp } from "../../processes/lifecycle-app.ts";
import { type Page, type Product, registrableDomain, type VendorCall } from "./product.ts";

export const edgeIpv4 = "192.0.2.7";

/** As the deployments set it, with a zone in which customers can delegate validation. */
export const journeyEnvironment = {
  EDGE_TARGETS: "unique",
  EDGE_IPV4: edgeIpv4,
  VALIDATION_ZONE: "validation.test",
};

export interface Installed {
  readonly caller: Caller;
  readonly page: Page;
}

/** An installation of the product, whose calls to the vendor arrive here. */
export async function install(life: LifecycleApp, product: Product): Promise<Installed> {
  const caller = await life.caller(product.name);
  const cname = product.target === "own" ? await ownName(caller) : "edge.localhost";
  if (product.target === null) await storeCredential(caller);
  const send = async ({ method, url, headers, body }: VendorCall) => {
    const response = await fetch(toUs(caller.base, url), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, body: await response.json() };
  };
  const { key: token, applicationId: project } = caller;
  const fixed = { cname, ipv4: edgeIpv4 };
  return { caller, page: product.open({ send, token, project, fixed }) };
}

/** A name of the operator's that resolves to the edge, in the records of the application. */
async function ownName(caller: Caller): Promise<string> {
  const zone = freshZone();
  const value = `domains.${zone}`;
  await putZone(caller, zone, [{ host: value, type: "CNAME", value: "edge.localhost" }]);
  await change(caller, "PATCH", "", { record_template: [{ host: "@", type: "CNAME", value }] });
  return value;
}

async function storeCredential(caller: Caller): Promise<void> {
  const body = { provider: "sandbox", name: "own DNS", fields: { token: "sandbox" } };
  await change(caller, "POST", "/credentials", body);
}

async function change(
  { base, key, applicationId }: Caller,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const answer = await call(base, `/v1/applications/${applicationId}${path}`, {
    key,
    method,
    body,
  });
  assert.ok(answer.status < 300, answer.text);
}

/** The vendor's address with our base URL before its path. */
function toUs(base: string, url: string): string {
  const { hostname, pathname, search } = new URL(url);
  const vendor = hostname === "api.vercel.com" ? "vercel" : "cloudflare";
  return `${base}/compat/${vendor}${pathname}${search}`;
}

/**
 * A customer who does what the page says and nothing else, until it says that the name works.
 * Returns what the page showed when it asked for something new, and in the end, with `…` for the
 * hostname.
 */
export async function walk(
  life: LifecycleApp,
  product: Product,
  { caller, page }: Installed,
  hostname: string,
): Promise<readonly string[]> {
  const published = new Map<string, ZoneLine>();
  const lines: string[] = [];
  const publish = () => putZone(caller, registrableDomain(hostname), [...published.values()]);
  await publish();
  await page.add(hostname);
  for (let visit = 0; visit < 12; visit += 1) {
    const { status, records } = await page.read(hostname);
    const isNew = records.some(({ type, host }) => !published.has(`${type} ${host}`));
    const asked = records.map(({ type, host }) => `${type} ${host.replace(hostname, "…")}`);
    if (isNew || status === product.connected) lines.push([status, ...asked].join(", "));
    if (status === product.connected) return lines;
    for (const record of records) published.set(`${record.type} ${record.host}`, record);
    await publish();
    await checkAndIssue(life);
  }
  assert.fail(`it never says ${product.connected}: ${lines.join(" | ")}`);
}

export async function checkAndIssue(life: LifecycleApp): Promise<void> {
  await life.checkAll(60_000);
  await issueCertificates(life.session);
}

/** The state of the name's newest connection. */
export async function findState(life: LifecycleApp, hostname: string): Promise<string> {
  const { rows } = await life.session.query<{ id: string }>(
    "select id from connections where hostname = $1 order by created_at desc limit 1",
    [hostname],
  );
  return readState(life.session, rows[0]?.id ?? "");
}

/** Without another record. */
export async function becomesLive(life: LifecycleApp, hostname: string): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    if ((await findState(life, hostname)) === "live") return;
    await checkAndIssue(life);
  }
  assert.fail(`${hostname} is ${await findState(life, hostname)}`);
}
