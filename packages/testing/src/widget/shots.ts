import type { DomainCheck } from "@mooring/sdk";
import { errorAnswer } from "./fake-service.ts";
import {
  sampleChecked,
  sampleConflict,
  sampleConnection,
  sampleNeeded,
  sampleProof,
  sampleRecords,
  sampleTarget,
} from "./samples.ts";
import { enter, press, resume, type Shot } from "./shot.ts";
import { domainShots } from "./shots-domains.ts";
import { movingShots } from "./shots-moving.ts";
import { troubleShots } from "./shots-trouble.ts";
import { wayShots } from "./shots-ways.ts";

const conflict = {
  host: "shop.acme.com",
  type: "A",
  value: "203.0.113.7",
  ttl: 7_200,
  priority: null,
};

const address = {
  host: "shop.acme.com",
  type: "A",
  value: "192.0.2.10",
  ttl: 300,
  priority: null,
};

const byHand = (check: Partial<DomainCheck> = {}) => ({
  ...{ auto_configurable: false, credential_fields: [] },
  ...check,
});

const validation = {
  name: "_acme-challenge.shop.acme.com",
  target: "h5w2c7rdk4xqzn6m3vjy7tbl2f.v.mooring.example",
  status: "absent",
} as const;

const wildcard = [
  { host: "*.shop.acme.com", type: "CNAME", value: sampleTarget, ttl: 300, priority: null },
  { host: validation.name, type: "CNAME", value: validation.target, ttl: 300, priority: null },
];

const contest = { since: "2026-11-15T09:30:00.000Z", deadline: "2026-11-18T09:30:00.000Z" };

export const shots: readonly Shot[] = [
  ...troubleShots,
  ...wayShots,
  ...domainShots,
  ...movingShots,
  { name: "01-enter" },
  { name: "02-enter-hint", go: (page) => page.getByTestId("svc-domain").fill("shop.acme.com") },
  { name: "03-enter-wrong", go: (page) => page.getByTestId("svc-domain").fill("mail@acme.com") },
  {
    name: "04-checking",
    answers: (service) => {
      service.answers["POST domains:check"] = () => new Promise(() => undefined);
    },
    go: enter,
  },
  { name: "05-analysis", check: { domain_connect: true }, go: enter },
  {
    name: "06-analysis-conflict",
    check: {
      record_conflicts: [conflict],
      warning_details: [
        {
          code: "slow_to_change",
          params: { hours: "2" },
          message: "It can take up to 2 hours until every visitor sees the change.",
        },
      ],
    },
    go: enter,
  },
  {
    name: "07-analysis-unknown",
    check: {
      provider: null,
      provider_slug: null,
      auto_configurable: false,
      setup_type: "manual",
      credential_fields: [],
    },
    go: enter,
  },
  { name: "08-unregistered", check: { registered: false }, go: enter },
  { name: "10-automatic-choice", check: { domain_connect: true }, options: resume },
  {
    name: "11-popup",
    check: { domain_connect: true },
    options: resume,
    answers: (service) => {
      service.answers["POST connections/{id}/domain-connect:start"] = () => ({
        body: {
          apply_url: `${service.url}/provider`,
          provider_name: "Cloudflare",
          expires_at: "2026-11-15T06:00:00.000Z",
        },
      });
    },
    go: (page) => press(page, "method-domain-connect"),
  },
  { name: "12-token", options: resume },
  {
    name: "13-token-refused",
    options: resume,
    answers: (service) => {
      service.answers["POST connections/{id}/records:apply"] = () =>
        errorAnswer(
          502,
          "provider_error",
          "Cloudflare refused the token: it may not edit the zone acme.com.",
          { kind: "auth" },
        );
    },
    go: async (page) => {
      await page.getByTestId("svc-field-api_token").fill("cf-secret");
      await press(page, "preview");
      await page.getByTestId("svc-setup-problem").waitFor();
    },
  },
  {
    name: "14-plan",
    options: resume,
    go: async (page) => {
      await page.getByTestId("svc-field-api_token").fill("cf-secret");
      await press(page, "preview");
      await page.getByTestId("svc-plan").waitFor();
    },
  },
  {
    name: "15-plan-conflict",
    options: resume,
    answers: (service) => {
      service.answers["POST connections/{id}/records:apply"] = () => ({ body: sampleConflict() });
    },
    go: async (page) => {
      await page.getByTestId("svc-field-api_token").fill("cf-secret");
      await press(page, "preview");
      await page.getByTestId("svc-plan").waitFor();
    },
  },
  {
    name: "20-manual",
    options: resume,
    check: byHand(),
    connection: { setup_type: "manual" },
    go: (page) => page.getByTestId("svc-record").waitFor(),
  },
  {
    name: "27-manual-in-use",
    options: resume,
    check: byHand({ record_conflicts: [conflict] }),
    connection: {
      setup_type: "manual",
      needed_records: [
        sampleProof("shop.acme.com", true),
        ...sampleNeeded(sampleConnection().desired_records),
      ],
    },
    go: (page) => page.getByTestId("svc-early-proof").locator("summary").click(),
  },
  {
    name: "28-manual-apex",
    options: resume,
    check: byHand({ domain: "acme.com", apex: true, subdomain: null }),
    connection: {
      hostname: "acme.com",
      kind: "apex",
      setup_type: "manual",
      needed_records: [
        sampleProof("acme.com"),
        ...sampleNeeded([{ ...address, host: "acme.com" }]),
      ],
    },
  },
  {
    name: "29-manual-wildcard",
    options: resume,
    check: byHand({ domain: "*.shop.acme.com", subdomain: "*.shop" }),
    connection: {
      hostname: "*.shop.acme.com",
      setup_type: "manual",
      validation,
      desired_records: wildcard,
    },
  },
  {
    name: "21-manual-half",
    options: resume,
    check: { auto_configurable: false, credential_fields: [] },
    connection: { setup_type: "manual", state: "propagating" },
    answers: (service) => {
      service.answers["POST connections/{id}/records:check"] = () => ({
        body: {
          ...sampleChecked(false),
          records: sampleRecords(false).map((record) => ({
            ...record,
            observed_value: "old.example.net",
            observed_truncated: false,
          })),
        },
      });
    },
    go: async (page) => {
      await press(page, "share");
      await page.getByTestId("svc-shared").waitFor();
      await press(page, "check-now");
      await page.getByTestId("svc-diagnosis").waitFor();
    },
  },
  {
    name: "30-progress",
    options: resume,
    connection: { state: "propagating" },
    check: { record_conflicts: [conflict] },
  },
  { name: "31-progress-certificate", options: resume, connection: { state: "issuing_cert" } },
  {
    name: "32-stalled",
    options: resume,
    connection: { state: "stalled" },
    go: (page) => page.getByTestId("svc-trouble").waitFor(),
  },
  {
    name: "40-email",
    options: { ...resume, email: true },
    connection: { state: "live", desired_records: [address] },
    go: async (page) => {
      await page.getByTestId("svc-mailbox-microsoft_365").check();
    },
  },
  {
    name: "41-email-done",
    options: { ...resume, email: true },
    connection: { state: "live", desired_records: [address] },
    go: async (page) => {
      await page.getByTestId("svc-mailbox-google_workspace").check();
      await press(page, "email-apply", "email-write");
      await page.getByTestId("svc-email-done").waitFor();
    },
  },
  {
    name: "41-email-preview",
    options: { ...resume, email: true },
    connection: { state: "live", desired_records: [address] },
    go: async (page) => {
      await page.getByTestId("svc-mailbox-google_workspace").check();
      await press(page, "email-apply");
      await page.getByTestId("svc-email-write").waitFor();
    },
  },
  {
    name: "42-sending",
    options: { ...resume, email: true },
    connection: { state: "live", desired_records: [address] },
    go: async (page) => {
      await page.getByTestId("svc-senders").locator("summary").click();
      await page.getByTestId("svc-mailbox-sendgrid").check();
    },
  },
  {
    name: "43-sending-ready",
    options: { ...resume, email: true },
    connection: { state: "live", desired_records: [address] },
    go: async (page) => {
      await page.getByTestId("svc-senders").locator("summary").click();
      await page.getByTestId("svc-mailbox-sendgrid").check();
      await press(page, "email-apply", "email-write");
      await page.getByTestId("svc-sending-status").waitFor();
    },
  },
  { name: "50-success", options: resume, connection: { state: "live" } },
  {
    name: "51-success-apex",
    options: resume,
    check: { www_redirect_recommended: true, apex: true },
    connection: { state: "live", hostname: "acme.com", kind: "apex" },
  },
  {
    name: "60-quota",
    answers: (service) => {
      service.answers["POST connections"] = () => errorAnswer(402, "QuotaExceeded", "limit");
    },
    go: async (page) => {
      await enter(page);
      await page.getByTestId("svc-provider").waitFor();
      await press(page, "continue");
      await page.getByTestId("svc-error").waitFor();
    },
  },
  { name: "61-drifted", options: resume, connection: { state: "drifted" } },
  {
    name: "62-failed",
    options: resume,
    connection: { state: "failed", error_code: "propagation_timeout" },
  },
  {
    name: "63-conflict",
    answers: (service) => {
      service.answers["POST connections"] = () =>
        errorAnswer(409, "HostnameConflict", "shop.acme.com is already connected");
    },
    go: async (page) => {
      await enter(page);
      await page.getByTestId("svc-provider").waitFor();
      await press(page, "continue");
      await page.getByTestId("svc-error").waitFor();
    },
  },
  {
    name: "64-contest-prover",
    options: resume,
    connection: { state: "pending_ownership", error_code: "hostname_conflict", contest },
  },
  {
    name: "65-contest-holder",
    options: resume,
    connection: { state: "live", contest },
  },
  {
    name: "70-exit",
    options: resume,
    connection: { state: "propagating" },
    go: async (page) => {
      await page.getByTestId("svc-stages").waitFor();
      await press(page, "close");
    },
  },
  {
    name: "71-expired",
    options: resume,
    connection: { state: "propagating" },
    answers: (service) => {
      service.answers["POST connections/{id}/records:check"] = () =>
        errorAnswer(401, "unauthorized", "expired");
    },
    go: (page) => page.getByTestId("svc-overlay-expired").waitFor(),
  },
  {
    name: "72-offline",
    options: resume,
    connection: { state: "propagating" },
    answers: (service) => {
      service.answers["POST connections/{id}/records:check"] = () => new Promise(() => undefined);
    },
    go: async (page) => {
      await page.getByTestId("svc-stages").waitFor();
      await page.evaluate("void dispatchEvent(new Event('offline'))");
      await page.getByTestId("svc-offline").waitFor();
    },
  },
  {
    name: "80-theme-brand",
    options: { theme: { accentColor: "#7c3aed", radius: "6px" } },
    go: enter,
  },
  {
    name: "81-theme-dark",
    options: { theme: { background: "#1b1036", foreground: "#f3edff", accentColor: "#ffd166" } },
    go: enter,
  },
];
