import type { Cutover, WidgetSettings } from "@mooring/sdk";
import type { FakeService } from "./fake-service.ts";
import { sampleSettings } from "./samples.ts";
import { enter, press, resume, type Shot } from "./shot.ts";
import { pairCheck } from "./shots-domains.ts";

function offering(service: FakeService, more: Partial<WidgetSettings["features"]> = {}): void {
  const { features } = sampleSettings();
  const body = sampleSettings({
    environment: "live",
    features: { ...features, wildcard: true, cutover: true, ...more },
  });
  service.answers["GET widget/settings"] = () => ({ body });
}

const inUse = { addresses: ["203.0.113.20"], serves_https: true, ttl: 3_600, mail: false };
const codes = ["ownership", "validation", "certificate", "edge", "origin", "caa_dnssec", "mail"];

/** The checks up to `done` hold, save those that are named. */
function cutover(status: Cutover["status"], done: number, ...open: readonly string[]): Cutover {
  const checks = codes.map((code, index) => ({
    code: code as Cutover["checks"][number]["code"],
    ok: index < done && !open.includes(code),
    message: "As the service says it.",
  }));
  const old = { host: "shop.acme.com", type: "A", value: "203.0.113.20", ttl: 3_600 };
  const isMoving = status === "switching" || status === "done";
  return {
    status,
    checks,
    ready_at: null,
    old_records: [{ ...old, priority: null }],
    ttl: 3_600,
    visitors_gone_at: isMoving ? "2099-11-16T10:30:00.000Z" : null,
  };
}

/** The old place does not answer. */
function notCompared(at: Cutover): Cutover {
  const checks = at.checks.map((check) =>
    check.code === "origin" ? { ...check, not_compared: "unreachable" as const } : check,
  );
  return { ...at, checks };
}

const validation = {
  name: "_acme-challenge.shop.acme.com",
  target: "k3v9q2m7x4c8b1n6z5l0j3h7g2.v.mooring.example",
  status: "right",
} as const;

function moving(name: string, at: Cutover, state: "propagating" | "live" = "propagating"): Shot {
  const step = state === "live" ? "success" : "in_progress";
  return {
    name,
    options: resume,
    connection: { state, cutover: at, validation },
    answers: (service) => offering(service),
    // While it is loaded, another screen has a title too.
    go: (page) => page.locator(`[data-testid=svc-panel][data-step=${step}]`).waitFor(),
  };
}

/** Wildcards, and names that serve visitors elsewhere. */
export const movingShots: readonly Shot[] = [
  {
    name: "66-move-choice",
    check: { in_use: inUse },
    answers: (service) => offering(service),
    go: async (page) => {
      await enter(page);
      await page.getByTestId("svc-move").waitFor();
    },
  },
  moving("67-move-preparing", cutover("preparing", 3)),
  moving("68-move-ready", cutover("ready", 7)),
  moving("69-move-differs", cutover("ready", 7, "origin")),
  {
    ...moving("74-move-records", cutover("ready", 7)),
    go: async (page) => {
      await press(page, "switch-by-hand");
      await page.getByTestId("svc-record").first().waitFor();
    },
  },
  {
    name: "77-move-pair",
    check: { ...pairCheck, in_use: inUse },
    answers: (service) => offering(service, { pair: true }),
    go: async (page) => {
      await page.getByTestId("svc-domain").fill("acme.com");
      await press(page, "continue");
      await page.getByTestId("svc-pair-apex").check();
      await page.getByTestId("svc-move").waitFor();
    },
  },
  moving("78-move-not-compared", notCompared(cutover("ready", 7))),
  moving("75-move-switching", cutover("switching", 7)),
  moving("76-move-done", cutover("done", 7), "live"),
  {
    name: "73-wildcard",
    check: { domain: "*.shop.acme.com", subdomain: "*.shop" },
    answers: (service) => offering(service),
    go: async (page) => {
      await page.getByTestId("svc-domain").fill("*.shop.acme.com");
      // It is a problem until the settings are there.
      await page.getByTestId("svc-domain-hint").waitFor();
      await press(page, "continue");
      await page.getByTestId("svc-wildcard").waitFor();
    },
  },
];
