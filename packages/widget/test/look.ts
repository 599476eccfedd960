import { mkdirSync } from "node:fs";
import path from "node:path";
import { buildWidget } from "../../../scripts/build-widget.ts";
import { launchBrowser, productPage } from "./support/browser.ts";
import { type FakeService, startFakeService } from "./support/fake-service.ts";
import {
  applicationId,
  sampleCheck,
  sampleConnection,
  sampleDiagnosis,
  sampleEmail,
  samplePlan,
  sampleRecords,
} from "./support/samples.ts";
import { type Shot, shots } from "./support/shots.ts";

/**
 * Pictures of every screen against a scripted service, to be looked at:
 *
 *     node packages/widget/test/look.ts DIRECTORY [pattern of names] [widths] [schemes]
 */
const [directory = "look", only = "", widths = "375,768,1280", schemes = "light,dark"] =
  process.argv.slice(2);

function script(service: FakeService, shot: Shot): void {
  for (const key of Object.keys(service.answers)) delete service.answers[key];
  const connection = sampleConnection(shot.connection);
  Object.assign(service.answers, {
    "POST domains:check": () => ({
      body: sampleCheck({ domain: connection.hostname, ...shot.check }),
    }),
    "POST connections": () => ({ status: 201, body: connection }),
    "GET connections/{id}": () => ({ body: connection }),
    "POST connections/{id}/records:check": () => ({ body: { records: sampleRecords(false) } }),
    "POST connections/{id}/records:apply": () => ({ body: samplePlan() }),
    "GET connections/{id}/diagnosis": () => ({ body: sampleDiagnosis() }),
    "POST connections/{id}/email:apply": () => ({ body: sampleEmail() }),
    "POST connections/{id}/share": () => ({
      body: {
        url: "https://connect.acme.example/share/7hG2kQ9x",
        expires_at: "2026-11-22T05:00:00.000Z",
      },
    }),
  });
  shot.answers?.(service);
}

await buildWidget();
mkdirSync(directory, { recursive: true });
const service = await startFakeService({
  "/": { html: productPage() },
  "/provider": { html: "<!doctype html><title>Provider</title>" },
});
const browser = await launchBrowser();
try {
  for (const width of widths.split(",").map(Number)) {
    for (const colorScheme of (["light", "dark"] as const).filter((one) => schemes.includes(one))) {
      const context = await browser.newContext({
        viewport: { width, height: width === 375 ? 760 : 860 },
        colorScheme,
        reducedMotion: "reduce",
      });
      for (const shot of shots.filter(({ name }) => new RegExp(only).test(name))) {
        script(service, shot);
        const page = await context.newPage();
        page.on("pageerror", (error) => {
          throw new Error(`${shot.name} has an error`, { cause: error });
        });
        await page.goto(service.url);
        await page.evaluate((options) => Reflect.get(window, "Svc").open(options), {
          applicationId,
          token: "t",
          brandName: "Acme Shops",
          ...shot.options,
        });
        await shot.go?.(page);
        await page.waitForTimeout(250);
        await page.screenshot({
          path: path.join(directory, `${shot.name}-${width}-${colorScheme}.png`),
        });
        await page.close();
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await service.close();
}
