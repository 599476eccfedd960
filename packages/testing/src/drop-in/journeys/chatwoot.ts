import assert from "node:assert/strict";
import { cloudflareCalls, textRecordsIn } from "./cloudflare-calls.ts";
import type { Product } from "./product.ts";

const live = ["active", "staging_active"];

/**
 * Help centers. Its page shows a CNAME to the host of `HELPCENTER_URL`; the first error of the API
 * is a tooltip there.
 */
export const chatwoot: Product = {
  name: "Chatwoot",
  source: {
    repository: "chatwoot/chatwoot",
    commit: "4339e0ee0add0616d56bc0bb74e1f38ecc8dd8f2",
    files: [
      "enterprise/app/services/cloudflare/base_cloudflare_zone_service.rb",
      "enterprise/app/services/cloudflare/create_custom_hostname_service.rb",
      "enterprise/app/services/cloudflare/check_custom_hostname_service.rb",
      "enterprise/app/jobs/enterprise/cloudflare_verification_job.rb",
      "app/javascript/dashboard/components-next/HelpCenter/Pages/PortalSettingsPage/DNSConfigurationDialog.vue",
      "app/javascript/dashboard/components-next/HelpCenter/Pages/PortalSettingsPage/PortalConfigurationSettings.vue",
    ],
  },
  target: "own",
  connected: "Live",
  open(installation) {
    const calls = cloudflareCalls(installation, { "Content-Type": "application/json" });
    return {
      async add(hostname) {
        // The job searches for the hostname first; an empty list makes it create one.
        const { status, body } = await calls.find(hostname);
        assert.equal(status, 200);
        assert.deepEqual(body.result, []);
        const made = await calls.create({ hostname, ssl: { method: "http", type: "dv" } });
        assert.ok(made.status < 300, JSON.stringify(made.body));
        assertChallenge(made.body.result);
      },
      async read(hostname) {
        const { body } = await calls.find(hostname);
        const [found] = body.result;
        assertChallenge(found);
        if (live.includes(found.ssl.status)) return { status: "Live", records: [] };
        const [error = ""] = found.verification_errors ?? [];
        const { cname } = installation.fixed;
        return {
          status: found.ssl.status,
          records: [{ host: hostname, type: "CNAME", value: cname }, ...textRecordsIn([error])],
        };
      },
      check: null,
      // A hostname that is taken off a help center stays at the vendor: it calls nothing.
      remove: async () => undefined,
    };
  },
};

/** It takes the last part of the URL for an id, and the body for the answer to it. */
function assertChallenge(result: {
  readonly ownership_verification_http?: {
    readonly http_url: string;
    readonly http_body: string;
  } | null;
}): void {
  const { ownership_verification_http: challenge } = result;
  if (!challenge) return;
  assert.match(challenge.http_url.split("/").at(-1) ?? "", /^[\w-]+$/);
  assert.equal(typeof challenge.http_body, "string");
}
