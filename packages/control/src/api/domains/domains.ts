import { findForm, type RecordForm as ProviderForm, panelNotes, tokenActions } from "@mooring/dns";
import { z } from "zod";
import { proofMethods } from "../../domain/connections/proof-methods.ts";
import { fillIn } from "../../domain/locales/languages.ts";
import { shownNames } from "../../domain/locales/names.ts";
import { warningTexts } from "../../domain/locales/warnings/texts.ts";
import { checkDomain, type DomainCheck } from "../../services/domains/check.ts";
import type { ExpectedProof } from "../../services/domains/expected-proof.ts";
import { type DomainGuide, setupWays } from "../../services/domains/guide.ts";
import type { CheckedPair, Holding } from "../../services/domains/holding.ts";
import { CheckDomain } from "../../services/domains/schemas.ts";
import {
  CapabilitiesBody,
  CredentialFieldBody,
  credentialFieldBody,
} from "../credentials/providers.ts";
import { defineRoute, RecordBody } from "../http/route.ts";

const RecordForm = z.object({
  host_label: z.string(),
  value_label: z
    .string()
    .nullable()
    .describe("Null where each type of record has another word for it"),
  ttl_label: z.string().nullable().describe("Null where the form has no such field"),
  host_style: z
    .enum(["relative", "absolute"])
    .describe("Whether a host is given relative to the zone or in full"),
  apex_host: z
    .enum(["@", "", "zone"])
    .describe("What is entered for the zone itself: `zone` is its name"),
  apex_type: z
    .enum(["ALIAS", "ANAME", "CNAME"])
    .nullable()
    .describe("What the provider calls an ALIAS record"),
  minimum_ttl: z.int().describe("The shortest TTL that the provider accepts, in seconds"),
  target_dot: z.boolean().describe("A host name in a value is entered with a dot at its end"),
});

const ClaimBody = z
  .enum(["free", "own", "held", "drifted"])
  .describe(
    "Who has the hostname: nobody, the caller's application and customer, or somebody else; one that is `drifted` passes to a new proof at once",
  );

const PairBody = z
  .object({
    apex: z.string(),
    www: z.string(),
    other_in_use: z.boolean().describe("The other one of the two serves something else now"),
    other_claim: ClaimBody,
    recommended: z.enum(["apex", "www"]).describe("The one to stay on"),
  })
  .meta({ id: "DomainPair" });

const SetupGuide = z
  .object({
    ways: z
      .array(z.enum(setupWays))
      .describe(
        "The ways to set the records, the one with the least effort for the customer first; `api` is a credential that is made for developers",
      ),
    token: z
      .object({
        url: z.string().describe("The page where the credential is made"),
        alternatives: z
          .array(z.array(z.string()))
          .describe(
            "Sets of fields of which one is enough; empty when all required ones are needed",
          ),
        steps: z.array(z.object({ action: z.enum(tokenActions), label: z.string() })),
        addresses: z
          .array(z.string())
          .describe("Our outgoing addresses, where the provider has a list of allowed ones"),
      })
      .nullable(),
    manual: z
      .object({
        url: z.string().describe("The provider's panel"),
        zone_page: z.boolean().describe("The link leads to the page of this domain"),
        path: z.array(z.string()).describe("What to click from there, in the panel's words"),
        add_label: z.string().nullable(),
        save_label: z.string().nullable(),
        notes: z.array(z.enum(panelNotes)),
      })
      .nullable(),
  })
  .meta({ id: "SetupGuide" });

const DomainCheckBody = z
  .object({
    domain: z.string().describe("The hostname in its canonical form"),
    registered: z.boolean().describe("False only where DNS says that the domain does not exist"),
    provider: z.string().nullable().describe("The DNS provider's name; null when unknown"),
    provider_slug: z.string().nullable(),
    setup_type: z.enum(["automatic", "manual"]),
    apex_flattening: z.boolean().describe("The provider lets an apex follow a host name"),
    nameserver: z.string().nullable().describe("The first of the domain's nameservers"),
    apex: z.boolean(),
    auto_configurable: z.boolean(),
    www_redirect_recommended: z.boolean(),
    capabilities: CapabilitiesBody,
    record_conflicts: z
      .array(RecordBody)
      .describe("Existing records that conflict with the desired ones"),
    domain_connect: z
      .boolean()
      .describe("The records can be set by consent at the DNS provider, without a credential"),
    registrable_domain: z.string(),
    zone: z
      .string()
      .nullable()
      .describe("The zone that holds the name, to which hosts are relative; null when unknown"),
    subdomain: z.string().nullable(),
    public_suffix: z.string(),
    dnssec: z.enum(["unsigned", "signed", "bogus", "unknown"]),
    caa_allows: z
      .boolean()
      .nullable()
      .describe("Whether a certificate may be issued; null when that is unknown"),
    warnings: z.array(z.string()).describe("What to do or know before connecting"),
    warning_details: z
      .array(
        z.object({
          code: z.string(),
          params: z.record(z.string(), z.string()),
          message: z.string().describe("In the customer's words"),
        }),
      )
      .describe(
        "The same warnings for a customer; code and parameters give a text in any language",
      ),
    in_use: z
      .object({
        addresses: z.array(z.string()),
        serves_https: z.boolean(),
        ttl: z.int().describe("How long caches send visitors there, in seconds"),
        mail: z.boolean().describe("The name receives mail"),
      })
      .nullable()
      .describe("Where the name serves visitors now; null when it does not, or leads here"),
    credential_fields: z.array(CredentialFieldBody),
    credential_help: z.string().nullable(),
    claim: ClaimBody,
    pair: PairBody.nullable().describe("For a registered domain and its `www`; null otherwise"),
    record_form: RecordForm.nullable().describe(
      "How the DNS provider's own form for a record is filled in; null when unknown",
    ),
    guide: SetupGuide,
    proof: z
      .object({
        method: z.enum(proofMethods).nullable(),
        prepared: z
          .enum(proofMethods)
          .nullable()
          .describe("The same for a cut-over, which is prepared before it is switched"),
      })
      .describe(
        "What would prove ownership: `txt` is a record of its own; any other is one that is needed anyway. Null where nothing that the application allows could",
      ),
  })
  .meta({ id: "DomainCheck" });

function domainCheckBody(
  check: DomainCheck & Holding & { readonly proof: ExpectedProof },
): z.input<typeof DomainCheckBody> {
  const { manifest, parts } = check;
  const adapter = manifest?.adapter === true ? manifest : null;
  const isAutomatic = adapter !== null || check.domainConnect;
  const isApex = parts.kind === "apex";
  return {
    domain: check.hostname,
    registered: check.registered,
    provider: check.provider?.name ?? null,
    provider_slug: check.provider?.slug ?? null,
    setup_type: isAutomatic ? "automatic" : "manual",
    apex_flattening: manifest !== null && manifest.apexFlattening !== "none",
    nameserver: check.nameserver,
    apex: isApex,
    auto_configurable: isAutomatic,
    www_redirect_recommended: isApex,
    capabilities: { ...(manifest?.capabilities ?? noCapabilities) },
    record_conflicts: check.conflicts.map((record) => ({ ...record })),
    domain_connect: check.domainConnect,
    registrable_domain: parts.registrableDomain,
    zone: check.zone,
    subdomain: parts.subdomain,
    public_suffix: parts.publicSuffix,
    dnssec: check.dnssec,
    caa_allows: check.caaAllows,
    warnings: check.warnings.map(({ message }) => message),
    in_use: check.inUse === null ? null : inUseBody(check.inUse),
    warning_details: check.warnings.map(({ code, params }) => ({
      code,
      params: { ...params },
      message: fillIn(warningTexts.en[code], shownNames(params)),
    })),
    credential_fields: adapter?.credentialFields.map(credentialFieldBody) ?? [],
    credential_help: adapter?.credentialHelp ?? null,
    claim: check.claim,
    pair: check.pair === null ? null : pairBody(check.pair),
    record_form: recordForm(findForm(check.provider?.slug ?? null, manifest)),
    guide: guideBody(check.guide),
    proof: { ...check.proof },
  };
}

function guideBody({ ways, token, addresses, panel }: DomainGuide): z.input<typeof SetupGuide> {
  return {
    ways: [...ways],
    token: token && {
      url: token.url,
      alternatives: token.alternatives.map((keys) => [...keys]),
      steps: token.steps.map(({ action, label }) => ({ action, label })),
      addresses: [...addresses],
    },
    manual: panel && {
      url: panel.url,
      zone_page: panel.isZonePage,
      path: [...panel.path],
      add_label: panel.add,
      save_label: panel.save,
      notes: [...panel.notes],
    },
  };
}

function pairBody(pair: CheckedPair): z.input<typeof PairBody> {
  const { apex, www, otherInUse, otherClaim, recommended } = pair;
  return { apex, www, other_in_use: otherInUse, other_claim: otherClaim, recommended };
}

function inUseBody({ addresses, servesHttps, ttl, mail }: NonNullable<DomainCheck["inUse"]>) {
  return { addresses: [...addresses], serves_https: servesHttps, ttl, mail };
}

function recordForm(form: ProviderForm | null): z.input<typeof RecordForm> | null {
  return (
    form && {
      host_label: form.host,
      value_label: form.value,
      ttl_label: form.ttl,
      host_style: form.hostStyle,
      apex_host: form.apexHost,
      apex_type: form.apexType,
      minimum_ttl: form.minimumTtlSeconds,
      target_dot: form.targetDot,
    }
  );
}

/** An unknown provider promises nothing. */
const noCapabilities = {
  cname_flattening: false,
  wildcard: false,
  caa: false,
  multi_txt: false,
  ns_delegation: false,
} as const;

export const checkDomainRoute = defineRoute({
  method: "POST",
  path: "/v1/domains:check",
  tag: "Domains",
  summary: "Detect a domain's DNS provider and how it can be set up",
  description:
    "Read-only, and answered within three seconds: what DNS did not answer by then is unknown, and a warning says so.",
  scopes: ["connections:read", "connections:write"],
  role: "support",
  widget: true,
  limit: "check",
  timeoutMs: 4_000,
  body: CheckDomain,
  output: DomainCheckBody,
  statuses: [200],
  errors: ["not_found"],
  run: (ctx, { body }) => checkDomain(ctx, body),
  reply: domainCheckBody,
});
