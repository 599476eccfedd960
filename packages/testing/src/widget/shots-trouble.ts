import type { Finding, RecordPlan } from "@mooring/sdk";
import { errorAnswer, type FakeService } from "./fake-service.ts";
import {
  sampleChecked,
  sampleConflict,
  sampleConnection,
  sampleDiagnosis,
  samplePlan,
  sampleProof,
  sampleRecords,
} from "./samples.ts";
import { press, resume, type Shot } from "./shot.ts";

const manual = { auto_configurable: false, credential_fields: [], setup_type: "manual" } as const;
const mx = { host: "shop.acme.com", type: "MX", value: "mail.acme.com", ttl: 3_600, priority: 10 };

/** A diagnosis with one finding of this code. */
export function createFinding(input: Partial<Finding>): Finding {
  const [sample] = sampleDiagnosis().findings;
  if (sample === undefined) throw new Error("the sample has no finding");
  return { ...sample, evidence: [], add_records: [], remove_records: [], ...input };
}

function diagnosed(input: Partial<Finding>): (service: FakeService) => void {
  return (service) => {
    service.answers["GET connections/{id}/diagnosis"] = () => ({
      body: { ...sampleDiagnosis(), findings: [createFinding(input)] },
    });
  };
}

export function blockedPlan(): RecordPlan {
  const plan = sampleConflict();
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      change.action === "conflict"
        ? { ...change, conflict: "managed", replaceable: false, reason: "It is managed." }
        : change,
    ),
  };
}

export function mailPlan(): RecordPlan {
  const plan = sampleConflict();
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      change.action === "conflict" ? { ...change, existing: [...change.existing, mx] } : change,
    ),
  };
}

function previewing(plan: RecordPlan): Pick<Shot, "options" | "answers" | "go"> {
  return {
    options: resume,
    answers: (service) => {
      service.answers["POST connections/{id}/records:apply"] = () => ({ body: plan });
    },
    go: async (page) => {
      await page.getByTestId("svc-field-api_token").fill("cf-secret");
      await press(page, "preview");
      await page.getByTestId("svc-plan").waitFor();
    },
  };
}

const [ownProof, otherProof] = [
  "service-verify=Xq7cVt0mJ2b8yWl1uRzP4kQeAaD9hS6nGfT3oLiKxEU",
  "service-verify=b1TnY0cR5uPqLx9ZkEw7vHsJ3gMdA2oKfQiX8yWlVtU",
];

const bothText = {
  title: "Two accounts have proven shop.acme.com, and the other one keeps it",
  fix: `That stays so while both records are there. If it is to be yours: at Cloudflare, delete the TXT record _service-challenge.shop.acme.com with the value ${otherProof}, and leave the other one. If you do that now, shop.acme.com passes to you at Nov 18, 2026, 9:30 AM UTC. If it is to stay with the other account, delete the record with the value ${ownProof} instead.`,
};

/** What stops a setup: trouble, conflicts and refusals. */
export const troubleShots: readonly Shot[] = [
  {
    name: "66-contest-both",
    options: resume,
    check: manual,
    connection: {
      setup_type: "manual",
      state: "pending_ownership",
      error_code: "hostname_conflict",
    },
    answers: diagnosed({
      code: "hostname_proven_by_both",
      severity: "error",
      actor: "end_customer",
      params: {
        domain: "shop.acme.com",
        zone: "acme.com",
        provider: "Cloudflare",
        name: "_service-challenge.shop.acme.com",
        type: "TXT",
        observed: otherProof,
        expected: ownProof,
        time: "2026-11-18T09:30:00.000Z",
      },
      texts: { end_customer: bothText, tenant: null, operator: null },
      remove_records: [
        {
          host: "_service-challenge.shop.acme.com",
          type: "TXT",
          value: otherProof,
          ttl: 300,
          priority: null,
        },
      ],
    }),
    go: (page) => page.getByTestId("svc-remove").waitFor(),
  },
  { name: "16-plan-mail", ...previewing(mailPlan()) },
  { name: "17-plan-blocked", ...previewing(blockedPlan()) },
  {
    name: "18-write-refused",
    options: resume,
    answers: (service) => {
      service.answers["POST connections/{id}/records:apply"] = ({ body }) =>
        Reflect.get(Object(body), "dry_run") === true
          ? { body: samplePlan() }
          : errorAnswer(502, "provider_error", "Cloudflare: 9109 Unauthorized.", { kind: "auth" });
    },
    go: async (page) => {
      await page.getByTestId("svc-field-api_token").fill("cf-secret");
      await press(page, "preview", "apply");
      await page.getByTestId("svc-setup-problem").waitFor();
    },
  },
  {
    name: "22-manual-delete-first",
    options: resume,
    check: { ...manual, record_conflicts: [mx] },
    connection: { setup_type: "manual" },
    go: (page) => page.getByTestId("svc-delete-first").waitFor(),
  },
  {
    name: "25-manual-cdn",
    options: resume,
    check: {
      ...manual,
      warning_details: [
        {
          code: "behind_cdn",
          params: { name: "shop.acme.com", cdn: "Cloudflare" },
          message: "shop.acme.com is behind Cloudflare, which is fine",
        },
      ],
    },
    connection: { setup_type: "manual" },
    go: (page) => page.getByTestId("svc-cdn").waitFor(),
  },
  {
    name: "24-manual-compare",
    options: resume,
    check: manual,
    connection: {
      setup_type: "manual",
      needed_records: [sampleProof(), ...sampleConnection().needed_records],
    },
    answers: (service) => {
      const { purpose: _, optional: __, ...proof } = sampleProof();
      const wrong = { propagated: false, observed_truncated: false };
      service.answers["POST connections/{id}/records:check"] = () => ({
        body: {
          ...sampleChecked(false),
          records: sampleRecords(false).map((one) => ({
            ...one,
            observed_value: "old.example.net",
          })),
          ownership: { ...proof, ...wrong, observed_value: "service-verify=of-another-setup" },
        },
      });
    },
    go: (page) => page.getByTestId("svc-versus").first().waitFor(),
  },
  {
    name: "23-manual-trouble",
    options: resume,
    check: manual,
    connection: { setup_type: "manual", state: "propagating", error_code: "record_mismatch" },
    go: async (page) => {
      await page.getByTestId("svc-remove").waitFor();
      await press(page, "check-now");
      await page.getByTestId("svc-check-answer").waitFor();
    },
  },
  {
    name: "33-fix-caa",
    options: resume,
    connection: { state: "issuing_cert", error_code: "caa_forbidden" },
    answers: diagnosed({
      code: "caa_forbidden",
      evidence: ['acme.com: CAA 0 issue "digicert.com"'],
      add_records: [
        {
          host: "shop.acme.com",
          type: "CAA",
          value: '0 issue "letsencrypt.org"',
          ttl: 300,
          priority: null,
        },
      ],
    }),
    go: (page) => page.getByTestId("svc-record").waitFor(),
  },
  {
    name: "34-fix-proxied",
    options: resume,
    connection: { state: "propagating", error_code: "proxied" },
    answers: diagnosed({ code: "record_proxied" }),
    go: (page) => page.getByTestId("svc-trouble").waitFor(),
  },
  {
    name: "34-behind-cdn",
    options: resume,
    connection: {
      state: "issuing_cert",
      proxied: { by: "cloudflare", since: "2026-11-15T05:00:00.000Z" },
    },
    go: (page) => page.getByTestId("svc-cdn").waitFor(),
  },
  {
    name: "35-fix-dnssec",
    options: resume,
    connection: { state: "propagating", error_code: "dnssec_bogus" },
    answers: diagnosed({ code: "dnssec_broken" }),
    go: (page) => page.getByTestId("svc-trouble").waitFor(),
  },
  {
    name: "36-fix-certificate",
    options: resume,
    connection: { state: "issuing_cert", error_code: "certificate_failed" },
    answers: diagnosed({ code: "certificate_failed", actor: "operator" }),
    go: (page) => page.getByTestId("svc-trouble").waitFor(),
  },
];
