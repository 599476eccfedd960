import assert from "node:assert/strict";
import type { Customer } from "@mooring/testing/browser/widget-customer";
import {
  type Caller,
  connect,
  type Made,
  proofRecord,
  readState,
  toEdge,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { until } from "@mooring/testing/processes/until";
import type { Page } from "playwright-core";
import { openBrandedCaller, type VisitSetting, type WidgetWorld } from "./world.ts";

/** What an end customer does, from the tenant's page to the end that the journey is named by. */
export interface Journey {
  /** The number of the requirement first. */
  readonly name: string;
  walk(walk: Walk): Promise<void>;
}

export interface Opening {
  /** The customer of the token; the journey's own unless set. */
  readonly customerRef?: string | null;
  readonly domain?: string;
  readonly options?: object;
  /** The customer presses the page's button later. */
  readonly isArmedOnly?: boolean;
  readonly setting?: VisitSetting;
}

/** One journey on its way. */
export interface Walk {
  readonly name: string;
  readonly world: WidgetWorld;
  readonly caller: Caller;
  /** Opens the widget on the tenant's page, on a phone. */
  open(opening?: Opening): Promise<Customer>;
  /** A picture for the journey's sheet. */
  picture(page: Page): Promise<void>;
  /** The last picture, on a phone and on a dark desktop; then the customer leaves. */
  arrive(customer: Customer): Promise<void>;
  /**
   * Replaces the records of a zone, at the name servers of another provider when they are named.
   */
  publish(
    zone: string,
    records: readonly ZoneLine[],
    nameservers?: readonly string[],
  ): Promise<void>;
  zone(zone: string): Promise<readonly ZoneLine[]>;
  /** A connection of another customer or another time, which is live. */
  live(hostname: string, customerRef: string): Promise<Made>;
}

const phone = { width: 375, height: 760 };
const desktop = { width: 1_280, height: 860 };

/** Walks the journey, and returns its pictures when they are requested. */
export async function walkJourney(
  world: WidgetWorld,
  { name, walk }: Journey,
  hasPictures: boolean,
): Promise<readonly Buffer[]> {
  const pictures: Buffer[] = [];
  let last: Customer | null = null as Customer | null;
  const caller = await openBrandedCaller(world, name);
  const picture = async (page: Page) => {
    if (hasPictures) pictures.push(await page.screenshot({ animations: "disabled" }));
  };
  const records = (zone: string) => `/v1/sandbox/zones/${zone}/records`;
  const one: Walk = {
    name,
    world,
    caller,
    async open({ customerRef = name, domain, options = {}, isArmedOnly, setting = {} } = {}) {
      const customer = await world.visit({ viewport: phone, locale: "en-GB", ...setting });
      last = customer;
      const token = await world.mint(caller, undefined, customerRef ?? undefined);
      const chosen = domain === undefined ? {} : { domain };
      const all = { applicationId: caller.applicationId, token, ...chosen, ...options };
      await (isArmedOnly === true ? customer.arm(all) : customer.open(all));
      return customer;
    },
    picture,
    async arrive(customer) {
      await picture(customer.page);
      await customer.page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await customer.page.setViewportSize(desktop);
      await picture(customer.page);
      await customer.leave();
    },
    async publish(zone, lines, nameservers) {
      const body = { records: lines, ...(nameservers === undefined ? {} : { nameservers }) };
      const answer = await call(caller.base, records(zone), {
        key: caller.key,
        method: "PUT",
        body,
      });
      assert.equal(answer.status, 200, answer.text);
    },
    async zone(zone) {
      const answer = await call(caller.base, records(zone), { key: caller.key });
      return answer.json()["records"] as readonly ZoneLine[];
    },
    async live(hostname, customerRef) {
      const made = await connect(caller, hostname, { customer_ref: customerRef });
      const zone = hostname.split(".").slice(-2).join(".");
      await one.publish(zone, [...(await one.zone(zone)), proofRecord(made), toEdge(made)]);
      const isLive = async () => (await readState(world.session, made.id)) === "live";
      await until(isLive, `${hostname} to be live`);
      return made;
    },
  };
  try {
    await walk(one);
  } catch (cause) {
    const panel = last?.page.isClosed() === false ? last.id("panel") : null;
    const text = (await panel?.textContent({ timeout: 1_000 }).catch(() => null)) ?? "no panel";
    throw new Error(`${name} does not reach its end; at the last: ${text}`, { cause });
  }
  return pictures;
}

/** From the analysis to a plan that is made with the sandbox's token. */
export async function applyToken(customer: Customer): Promise<void> {
  await customer.id("continue").click();
  await customer.id("field-token").fill("sandbox");
  await customer.id("preview").click();
  await customer.id("plan").waitFor();
}

/** The records that the manual setup shows, as lines of a zone. */
export async function shownRecords(
  customer: Pick<Customer, "id" | "step">,
): Promise<readonly ZoneLine[]> {
  await customer.step("manual_configuration");
  await customer.id("record").first().waitFor();
  const hosts = await customer.id("record-host").allTextContents();
  const values = await customer.id("record-value").allTextContents();
  return hosts.map((host, index) => {
    const value = values[index] ?? "";
    return { host, type: value.startsWith("service-verify=") ? "TXT" : "CNAME", value };
  });
}

export async function textOfPanel(customer: Customer): Promise<string> {
  return (await customer.id("panel").textContent()) ?? "";
}

/** The name servers of zones whose provider nobody knows, and of some that are known. */
export const unknownServers = ["ns1.dns-nobody-knows.example", "ns2.dns-nobody-knows.example"];
export const providerServers = {
  cloudflare: ["ada.ns.cloudflare.com", "zoe.ns.cloudflare.com"],
  godaddy: ["ns01.domaincontrol.com", "ns02.domaincontrol.com"],
  namecheap: ["dns1.registrar-servers.com", "dns2.registrar-servers.com"],
} as const;
