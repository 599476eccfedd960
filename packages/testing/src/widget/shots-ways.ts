import type { DomainCheck } from "@mooring/sdk";
import { sampleCheck } from "./samples.ts";
import { enter, press, resume, type Shot } from "./shot.ts";

/** GoDaddy: two kinds of credentials, both made for developers. */
export function developerCheck(): Partial<DomainCheck> {
  const { guide } = sampleCheck();
  const field = (key: string, label: string, secret: boolean) => ({
    key,
    label,
    secret,
    required: false,
    help_url: "https://developer.godaddy.com/keys",
  });
  return {
    provider: "GoDaddy",
    provider_slug: "godaddy",
    credential_fields: [
      field("personal_access_token", "Personal access token", true),
      field("api_key", "API key (classic)", false),
      field("api_secret", "API secret (classic)", true),
    ],
    record_form: {
      host_label: "Name",
      value_label: "Value",
      ttl_label: "TTL",
      host_style: "relative",
      apex_host: "@",
      apex_type: null,
      minimum_ttl: 600,
      target_dot: false,
    },
    guide: {
      ways: ["manual", "api"],
      token: {
        url: "https://developer.godaddy.com/personal-access-token",
        alternatives: [["personal_access_token"], ["api_key", "api_secret"]],
        steps: [
          { action: "press", label: "Generate Token" },
          { action: "permit", label: "domains.domain:read, domains.dns:update" },
          { action: "copy", label: "" },
        ],
        addresses: [],
      },
      manual: {
        ...(guide.manual ?? { zone_page: true, url: "", save_label: null, add_label: null }),
        url: "https://dcc.godaddy.com/control/dnsmanagement?domainName=acme.com",
        path: ["DNS"],
        add_label: "Add New Record",
        notes: [],
      },
    },
  };
}

/** STRATO: a panel without an API, whose form has no TTL and takes names with a final dot. */
export function panelCheck(): Partial<DomainCheck> {
  return {
    provider: "STRATO",
    provider_slug: "strato",
    setup_type: "manual",
    auto_configurable: false,
    credential_fields: [],
    credential_help: null,
    record_form: {
      host_label: "Präfix",
      value_label: "Wert",
      ttl_label: null,
      host_style: "relative",
      apex_host: "",
      apex_type: null,
      minimum_ttl: 300,
      target_dot: true,
    },
    guide: {
      ways: ["manual"],
      token: null,
      manual: {
        url: "https://www.strato.de/apps/CustomerService",
        zone_page: false,
        path: ["Domains", "Domainverwaltung", "acme.com", "DNS", "TXT- und CNAME-Records"],
        add_label: "Weiteren Record erstellen",
        save_label: "Einstellungen übernehmen",
        notes: ["addresses_apart", "no_apex_alias"],
      },
    },
  };
}

export const wayShots: readonly Shot[] = [
  {
    name: "10-automatic-sign-in",
    options: resume,
    check: { guide: { ...sampleCheck().guide, ways: ["oauth", "token", "manual"] } },
  },
  { name: "09-analysis-guided", check: developerCheck(), go: enter },
  { name: "19-manual-guided", options: resume, check: developerCheck() },
  { name: "19-manual-panel", options: resume, check: panelCheck() },
  {
    name: "19-token-developer",
    options: resume,
    check: developerCheck(),
    go: async (page) => {
      await press(page, "automatic");
      await page.getByTestId("svc-alternative-1").check();
    },
  },
];
