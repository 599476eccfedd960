import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  deleteTenant,
  suspendTenant,
} from "../../../control/src/services/operator/tenant-states.ts";
import { call, textOf } from "../control/http.ts";
import { signIn } from "../control/session.ts";
import { until } from "../processes/until.ts";
import { stockTraffic } from "./console-traffic.ts";
import type { ConsoleWorld } from "./console-world.ts";

/** What a tenant of the console has: applications, domains in several states, endpoints, keys. */
export interface Stock {
  readonly applicationId: string;
  readonly endpointId: string;
  /** A delivery that the receiver has refused. */
  readonly deliveryId: string;
  readonly customer: string;
  /** By hostname. */
  readonly domains: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** The texts that customers, providers and receivers choose. */
export interface StockTexts {
  readonly applicationName: string;
  readonly customer: string;
  readonly keyName: string;
  readonly credentialName: string;
  /** A value of a TXT record in the customer's zone. */
  readonly zoneText: string;
  /** What the webhook receiver answers. */
  readonly receiverText: string;
  readonly memberName: string;
  /** Of another tenant, which an operator sees. */
  readonly tenantName: string;
  /** Why the operator has suspended it. */
  readonly suspendedReason: string;
  /** As a registry names it. */
  readonly registrar: string;
  /** What visitors read while the application is under maintenance. */
  readonly maintenancePage: string;
  /** With which previews are shown. */
  readonly username: string;
}

export const plainTexts: StockTexts = {
  applicationName: "Shop",
  customer: "customer-4711",
  keyName: "Backend",
  credentialName: "Our Cloudflare",
  zoneText: "v=spf1 -all",
  receiverText: "the queue is full",
  memberName: "Ada Keeper",
  tenantName: "Lighthouse Ltd.",
  suspendedReason: "The invoice of October is not paid",
  registrar: "Example Registrar, Inc.",
  maintenancePage: "We are back at six.",
  username: "preview",
};

const hostile = `"><img src=x onerror=globalThis.pwned=1><script>globalThis.pwned=1</script>`;

export const hostileTexts: StockTexts = {
  applicationName: hostile,
  customer: hostile,
  keyName: hostile,
  credentialName: hostile,
  zoneText: hostile,
  receiverText: hostile,
  memberName: hostile.slice(0, 100),
  tenantName: hostile.slice(0, 100),
  suspendedReason: hostile,
  registrar: hostile,
  maintenancePage: hostile,
  username: hostile.slice(0, 64),
};

export async function stockConsole(world: ConsoleWorld, texts: StockTexts): Promise<Stock> {
  const receiver = await startReceiver(texts.receiverText);
  try {
    return { ...(await fillConsole(world, texts, receiver.url)), close: receiver.close };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

async function fillConsole(
  world: ConsoleWorld,
  texts: StockTexts,
  receiverUrl: string,
): Promise<Omit<Stock, "close">> {
  const api = caller(world);
  const application = await api("/v1/applications", {
    name: texts.applicationName,
    origin_url: "https://app.harbour.example",
    edge: {
      deny: ["203.0.113.0/24", "2001:db8:bad::/48"],
      maintenance: { until: null, page: texts.maintenancePage },
    },
  });
  const applicationId = textOf(application, "id");
  await api(`/v1/applications/${applicationId}/keys`, { name: texts.keyName });
  await api(`/v1/applications/${applicationId}/credentials`, {
    provider: "sandbox",
    name: texts.credentialName,
    fields: { token: "sandbox" },
    zone: "elsewhere.test",
  });
  const endpoint = await api("/v1/webhook-endpoints", {
    application_id: applicationId,
    url: receiverUrl,
  });
  const domains = new Map<string, string>();
  for (const hostname of ["shop.acme-console.test", "www.lighthouse.test", "blog.tide.test"]) {
    const made = await api("/v1/connections", {
      application_id: applicationId,
      hostname,
      customer_ref: texts.customer,
    });
    domains.set(hostname, textOf(made, "id"));
  }
  const rules = {
    maintenance: "off",
    rate_limit: { requests: 100, per_s: 60 },
    basic_auth: { username: texts.username, password: "correct horse" },
  };
  const shop = `/v1/connections/${domains.get("shop.acme-console.test")}`;
  await api(shop, { edge: rules }, "PATCH");
  await api(
    "/v1/sandbox/zones/acme-console.test/records",
    {
      records: [
        { host: "_service-challenge.shop", type: "TXT", value: texts.zoneText },
        { host: "shop", type: "CNAME", value: "old-host.example" },
      ],
    },
    "PUT",
  );
  for (const sample of samples) {
    const body = { application_id: applicationId, hostname: sample.hostname };
    const made = await api("/v1/connections", body);
    await putInto(world, textOf(made, "id"), sample);
    domains.set(sample.hostname, textOf(made, "id"));
  }
  domains.set(movingName, await stockMove(world, applicationId));
  await stockRegistrations(world, texts.registrar);
  await inviteMember(world, texts.memberName);
  await stockInstallation(world, texts);
  await stockTraffic(world, applicationId, domains);
  const deliveryId = await firstAttempt(world);
  return {
    applicationId,
    endpointId: textOf(endpoint, "id"),
    deliveryId,
    customer: texts.customer,
    domains,
  };
}

interface Sample {
  readonly hostname: string;
  readonly state: string;
  readonly code: string | null;
  readonly title: string | null;
  readonly days: number;
}

/** Domains whose states would take hours to reach. */
const samples: readonly Sample[] = [
  { hostname: "www.northwind.test", state: "live", code: null, title: null, days: 12 },
  {
    hostname: "app.kelp.test",
    state: "drifted",
    code: "record_mismatch",
    title: "app.kelp.test points somewhere else",
    days: 2,
  },
  {
    hostname: "store.pier.test",
    state: "stalled",
    code: "record_missing",
    title: "The CNAME record of store.pier.test is not there yet",
    days: 1,
  },
  {
    hostname: "old.reef.test",
    state: "failed",
    code: "ownership_timeout",
    title: "The ownership record was not seen in three days",
    days: 5,
  },
];

/**
 * Without a time at which it is due, and with another version than one that has it leased: no
 * worker changes it.
 */
async function putInto({ session }: ConsoleWorld, id: string, sample: Sample): Promise<void> {
  const { state, code, title, days } = sample;
  const finding = title === null ? null : { code, actor: "end_customer", title };
  await session.query(
    `update connections set state = $2, error_code = $3, finding = $4, due_at = null, leased_until = null,
       version = version + 1, state_since = created_at - make_interval(days => $5) where id = $1`,
    [id, state, code, finding, days],
  );
}

/** A name that serves visitors at an old server; the credential of the stock sees its zone. */
export const movingName = "busy.elsewhere.test";

const checkTexts = {
  ownership: "The ownership record is there.",
  validation: "The validation record leads to us.",
  certificate: "The certificate is held.",
  edge: "Every edge serves it.",
  origin: "The new place answers with 200, the old one with 301.",
  caa_dnssec: "Nothing forbids the next renewal.",
  mail: "No mail record is touched.",
} as const;

/** Prepared to be moved, which would take an edge; the origin differs from the old server. */
async function stockMove(world: ConsoleWorld, applicationId: string): Promise<string> {
  const body = { application_id: applicationId, hostname: movingName, cutover: true };
  const id = textOf(await caller(world)("/v1/connections", body), "id");
  const checks = Object.entries(checkTexts).map(([code, message]) => ({
    code,
    ok: code !== "origin",
    message,
  }));
  await world.session.query(
    `update connections set state = 'propagating', error_code = null, due_at = null, leased_until = null,
       version = version + 1,
       cutover = cutover || jsonb_build_object('status', 'ready', 'checks', $2::jsonb, 'ready_at', $3::text, 'ttl', 300)
     where id = $1`,
    [id, JSON.stringify(checks), world.app.clock.now().toISOString()],
  );
  return id;
}

/** What registries would say; not due, so that no worker asks. */
async function stockRegistrations({ app, session }: ConsoleWorld, registrar: string) {
  const now = app.clock.now();
  await session.query(
    `insert into registrations (domain, expires_at, status, registrar, checked_at, outcome, created_at)
     values ('acme-console.test', $1::timestamptz + interval '12 days', '{clientTransferProhibited}', $2, $1, 'answered', $1),
            ('lighthouse.test', $1::timestamptz + interval '300 days', '{active}', $2, $1, 'answered', $1)`,
    [now, registrar],
  );
  await session.query(
    `insert into registered_names (connection_id, tenant_id, environment, domain)
     select id, tenant_id, environment, registrable_domain from connections
     where registrable_domain in ('acme-console.test', 'lighthouse.test')`,
  );
}

/**
 * What an operator sees beyond the tenant: another one, which is suspended, one that is being
 * deleted, two edges, and a CA with its budget.
 */
async function stockInstallation({ app, session }: ConsoleWorld, texts: StockTexts) {
  const { tenant } = await app.tenant(texts.tenantName);
  await suspendTenant(app.operator, tenant.id, texts.suspendedReason);
  await app.tenant("Wharf GmbH");
  await deleteTenant(app.operator, "Wharf GmbH", { isApplied: true });
  const directory = "https://acme-v02.api.letsencrypt.org/directory";
  await session.query(
    `insert into edges (id, address, version, certificates, started_at, last_seen_at)
     select gen_random_uuid(), address, '0.1.0', 1284, now() - interval '9 days', now() - silent
     from (values ('edge-1:443', interval '4 seconds'), ('edge-2:443', interval '7 minutes')) as e (address, silent)`,
  );
  await session.query(
    `insert into issuance_budget (name, arrives_at, rate_count, rate_seconds)
     values ($1, now() + interval '40 minutes', 300, 10800), ($2, now(), 20, 60)`,
    [`orders:${directory}`, `renewals:${directory}`],
  );
}

async function inviteMember({ app, tenant }: ConsoleWorld, name: string): Promise<void> {
  const owner = await signIn(app, tenant.tenant.id, "owner");
  const body = { email: "ada@harbour.example", name, role: "support" };
  const answer = await owner.call("/v1/members", { method: "POST", body });
  assert.equal(answer.status, 201, answer.text);
}

function caller({ url, tenant }: ConsoleWorld) {
  return async (path: string, body: unknown, method = "POST") => {
    const answer = await call(url, path, { key: tenant.keys.test, method, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer;
  };
}

/** The worker delivers `domain.added`; the receiver refuses it. */
async function firstAttempt({ session }: ConsoleWorld): Promise<string> {
  const tried = "select id from deliveries where jsonb_array_length(attempts) > 0 limit 1";
  let id: unknown = null;
  await until(async () => {
    id = (await session.query(tried)).rows[0]?.id ?? null;
    return id !== null;
  }, "the first attempt of a delivery");
  return String(id);
}

async function startReceiver(text: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(500, { "content-type": "text/html" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
