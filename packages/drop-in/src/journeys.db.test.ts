import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { freshZone, putZone } from "@mooring/testing/clients/connecting";
import { withoutLimits } from "@mooring/testing/control/world";
import type { Product } from "@mooring/testing/drop-in/journeys/product";
import { products } from "@mooring/testing/drop-in/journeys/products";
import {
  becomesLive,
  findState,
  install,
  journeyEnvironment,
  walk,
} from "@mooring/testing/drop-in/journeys/walk";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { dropIns } from "./index.ts";

interface Journey {
  readonly product: Product;
  /** What the page shows when it asks for a record, and in the end; for a name below a domain. */
  readonly sub: readonly string[];
  /** For a domain itself. */
  readonly apex?: readonly string[];
}

const journeys: Readonly<Record<string, Journey>> = {
  docs: {
    product: products.papermark,
    sub: ["Invalid Configuration, CNAME …", "Valid Configuration"],
    apex: ["Pending Verification, A …, TXT _service-challenge.…", "Valid Configuration"],
  },
  status: {
    product: products.openStatus,
    sub: [
      "Invalid Configuration, CNAME …",
      "Pending Verification, TXT _service-challenge.…",
      "Valid Configuration",
    ],
    apex: [
      "Pending Verification, TXT _service-challenge.…",
      "Invalid Configuration, A …",
      "Valid Configuration",
    ],
  },
  cap: {
    product: products.cap,
    sub: ["Verify your domain, CNAME …", "Domain Verified"],
    apex: ["Verify your domain, TXT _service-challenge.…, A …", "Domain Verified"],
  },
  go: {
    product: products.dub,
    sub: ["Pending Verification, CNAME …, TXT _service-challenge.…", "Valid Configuration"],
    apex: ["Pending Verification, A …, TXT _service-challenge.…", "Valid Configuration"],
  },
  bot: {
    product: products.typebot,
    sub: [
      "Invalid Configuration, CNAME …",
      "Pending Verification, TXT _service-challenge.…",
      "Valid Configuration",
    ],
  },
  acme: { product: products.calCom, sub: ["created"] },
  auth: {
    product: products.logto,
    sub: [
      "PendingVerification, CNAME …",
      "PendingVerification, CNAME …, TXT _service-challenge.…",
      "Active",
    ],
  },
  crm: {
    product: products.twenty,
    sub: [
      "redirection error, ssl initializing, CNAME …, CNAME _acme-challenge.…",
      "redirection success, ssl success",
    ],
  },
  help: {
    product: products.chatwoot,
    sub: ["initializing, CNAME …, TXT _service-challenge.…", "Live"],
  },
};

describe("products that were made for another vendor's API", () => {
  let life: LifecycleApp;
  before(async () => {
    life = await startLifecycle({ env: { ...withoutLimits, ...journeyEnvironment }, dropIns });
  });
  after(() => life.close());

  for (const [label, { product, sub, apex }] of Object.entries(journeys)) {
    it(`take ${product.name}'s customer from the first page to live`, async () => {
      const installed = await install(life, product);
      const { page } = installed;
      const hostname = `${label}.${freshZone()}`;
      assert.deepEqual(await walk(life, product, installed, hostname), sub);
      await becomesLive(life, hostname);
      assert.equal((await page.read(hostname)).status, product.connected, "and stays");
      if (page.check !== null) assert.deepEqual(await page.check([hostname]), [true]);
      await page.remove(hostname);
      const left = product === products.chatwoot ? "live" : "archived";
      assert.equal(await findState(life, hostname), left);
    });

    if (apex === undefined) continue;
    it(`take ${product.name}'s customer to live with the domain itself`, async () => {
      const installed = await install(life, product);
      const hostname = freshZone();
      assert.deepEqual(await walk(life, product, installed, hostname), apex);
      await becomesLive(life, hostname);
      await installed.page.remove(hostname);
      assert.equal(await findState(life, hostname), "archived");
    });
  }
});

describe("the jobs of products that read every domain at once", () => {
  let life: LifecycleApp;
  before(async () => {
    const env = { RATE_LIMITS: "general=14:14,check=100:100", ...journeyEnvironment };
    life = await startLifecycle({ env, dropIns });
  });
  after(() => life.close());

  it("take no connected name for one that is not, past the rate limit", async () => {
    const { page, caller } = await install(life, products.papermark);
    const zone = freshZone();
    const names = Array.from({ length: 12 }, (_, index) => `n${index}.${zone}`);
    for (const name of names) await page.add(name);
    life.app.clock.advance(60_000);
    const records = [];
    for (const name of names) {
      records.push(...(await page.read(name)).records);
      life.app.clock.advance(1_000);
    }
    await putZone(caller, zone, records);
    for (const name of names) await becomesLive(life, name);
    assert.deepEqual(
      await page.check?.(names),
      names.map(() => true),
    );
  });
});
