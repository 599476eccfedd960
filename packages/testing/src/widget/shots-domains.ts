import type { Connection, DomainCheck } from "@mooring/sdk";
import type { FakeService } from "./fake-service.ts";
import { sampleConnection, sampleSettings } from "./samples.ts";
import { enter, press, type Shot } from "./shot.ts";

/** A token that names its customer; the scripted service does not verify it. */
export const customerToken = `h.${Buffer.from(JSON.stringify({ cus: "7" })).toString("base64url")}.s`;

function own(id: number, fields: Partial<Connection>): Connection {
  const { id: _, ...rest } = sampleConnection();
  return { ...rest, id: `019a8400-0000-7000-8000-00000000000${id}`, ...fields };
}

const readyMove = {
  status: "ready",
  checks: [],
  ready_at: "2026-11-16T09:30:00.000Z",
  old_records: [],
  ttl: 3_600,
  visitors_gone_at: null,
} as const;

export const ownConnections: readonly Connection[] = [
  own(1, { hostname: "acme.com", kind: "apex", state: "live" }),
  own(2, { hostname: "www.acme.com", state: "live", redirect_to: "acme.com" }),
  own(3, { hostname: "xn--kse-qla.example", state: "propagating" }),
  own(5, { hostname: "blog.acme.com", state: "propagating", cutover: readyMove }),
  own(4, { hostname: "shop.acme.com", state: "drifted", error_code: "record_mismatch" }),
];

const noBrand = { name: null, logo_url: null, color: null, support_url: null };

export function listing(service: FakeService, rows: readonly Connection[] = ownConnections): void {
  service.answers["GET connections"] = () => ({ body: { data: rows, next_cursor: null } });
  const { features } = sampleSettings();
  const brand = { ...noBrand, support_url: "https://acme.example/help" };
  const settings = sampleSettings({ brand, features: { ...features, pair: true } });
  service.answers["GET widget/settings"] = () => ({ body: settings });
}

export const pairCheck: Partial<DomainCheck> = {
  domain: "acme.com",
  apex: true,
  registrable_domain: "acme.com",
  subdomain: null,
  pair: {
    apex: "acme.com",
    www: "www.acme.com",
    other_in_use: false,
    other_claim: "free",
    recommended: "apex",
  },
};

const customer = { token: customerToken };
const enterApex: Shot["go"] = async (page) => {
  await page.getByTestId("svc-domain").fill("acme.com");
  await press(page, "continue");
  await page.getByTestId("svc-pair").waitFor();
};

export const domainShots: readonly Shot[] = [
  {
    name: "60-domains",
    options: customer,
    answers: (service) => listing(service),
    go: (page) => page.getByTestId("svc-domains").waitFor(),
  },
  {
    name: "61-domains-remove",
    options: customer,
    answers: (service) => listing(service),
    go: (page) => press(page, "remove-domain"),
  },
  {
    name: "62-pair",
    check: pairCheck,
    connection: { hostname: "acme.com", kind: "apex" },
    answers: (service) => listing(service, []),
    go: enterApex,
  },
  {
    name: "63-pair-in-use",
    check: { ...pairCheck, pair: { ...pairCheck.pair, other_in_use: true } as DomainCheck["pair"] },
    connection: { hostname: "acme.com", kind: "apex" },
    answers: (service) => listing(service, []),
    go: enterApex,
  },
  {
    name: "64-taken",
    check: { claim: "held" },
    answers: (service) => listing(service, []),
    go: enter,
  },
  {
    name: "65-taken-drifted",
    check: { claim: "drifted" },
    answers: (service) => listing(service, []),
    go: enter,
  },
];
