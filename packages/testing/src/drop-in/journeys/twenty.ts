import assert from "node:assert/strict";
import { cloudflareCalls } from "./cloudflare-calls.ts";
import type { Product } from "./product.ts";

const ssl = {
  method: "txt",
  type: "dv",
  settings: {
    http2: "on",
    min_tls_version: "1.2",
    tls_1_3: "on",
    ciphers: ["ECDHE-RSA-AES128-GCM-SHA256", "AES128-SHA"],
    early_hints: "on",
  },
  bundle_method: "ubiquitous",
  wildcard: false,
};

/**
 * A CRM, with the vendor's own client. Its page shows a CNAME to the host of the installation, and
 * one for validation, which the API names.
 */
export const twenty: Product = {
  name: "Twenty",
  source: {
    repository: "twentyhq/twenty",
    commit: "02e13c8d651d8155a0180f9ed566efe5ae2f035a",
    files: [
      "packages/twenty-server/src/engine/core-modules/dns-manager/services/dns-manager.service.ts",
      "packages/twenty-server/src/engine/core-modules/domain/custom-domain-manager/services/custom-domain-manager.service.ts",
      "packages/twenty-server/src/engine/core-modules/workspace/crons/jobs/check-custom-domain-valid-records.cron.job.ts",
    ],
  },
  target: "own",
  connected: "redirection success, ssl success",
  open(installation) {
    const calls = cloudflareCalls(installation, { Accept: "application/json" });
    const details = async (hostname: string) => {
      const { result } = (await calls.find(hostname)).body;
      assert.ok(result.length <= 1, "it throws at more than one");
      return result[0];
    };
    const readStatuses = (found: {
      readonly ssl: { readonly status?: string };
      readonly verification_errors?: readonly string[];
    }) => {
      const { status = "pending" } = found.ssl;
      const [error] = found.verification_errors ?? [];
      // For ten seconds after the hostname was made it says "pending" whatever the error.
      return {
        redirection: error === "custom hostname does not CNAME to this zone." ? "error" : "success",
        ssl: status.startsWith("pending") ? "pending" : status === "active" ? "success" : status,
      };
    };
    return {
      async add(hostname) {
        assert.equal(await details(hostname), undefined);
        const { status, body } = await calls.create({ hostname, ssl });
        assert.ok(status < 300, JSON.stringify(body));
      },
      async read(hostname) {
        // The button of the page asks for the validation again, with the same settings.
        const found = await details(hostname);
        const edited = await calls.edit(found.id, { ssl });
        assert.ok(edited.status < 300, JSON.stringify(edited.body));
        const { redirection, ssl: certificate } = readStatuses(found);
        const status = `redirection ${redirection}, ssl ${certificate}`;
        const [delegated] = found.ssl.dcv_delegation_records;
        const isDone = redirection === "success" && certificate === "success";
        return {
          status,
          records: isDone
            ? []
            : [
                { host: hostname, type: "CNAME", value: installation.fixed.cname },
                { host: delegated.cname, type: "CNAME", value: delegated.cname_target },
              ],
        };
      },
      // Every hour for the workspaces that were made in that hour of a day.
      async check(hostnames) {
        const results: boolean[] = [];
        for (const hostname of hostnames) {
          const found = await details(hostname);
          const statuses = readStatuses(found);
          results.push(statuses.redirection === "success" && statuses.ssl === "success");
        }
        return results;
      },
      async remove(hostname) {
        const found = await details(hostname);
        assert.equal((await calls.remove(found.id)).status, 200);
        assert.equal(await details(hostname), undefined);
      },
    };
  },
};
