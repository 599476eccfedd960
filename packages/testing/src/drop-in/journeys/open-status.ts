import assert from "node:assert/strict";
import type { Product } from "./product.ts";
import { failure, textRecords, vercelCalls, visitorRecord } from "./vercel-calls.ts";

const connected = "Valid Configuration";

/**
 * Status pages. The page shows an address that is set in the environment
 * (`NEXT_PUBLIC_VERCEL_PROJECT_DNS_CNAME`), and a TXT record when the API asks for one.
 */
export const openStatus: Product = {
  name: "OpenStatus",
  source: {
    repository: "openstatusHQ/openstatus",
    commit: "22df52eb0dbdafbad2c3fa41269f7a3a3cbf044b",
    files: [
      "packages/api/src/lib/vercel.ts",
      "packages/api/src/router/domain.ts",
      "apps/dashboard/src/components/domains/use-domain-status.ts",
      "apps/dashboard/src/components/domains/domain-configuration.tsx",
    ],
  },
  target: "edge",
  connected,
  open(installation) {
    const calls = vercelCalls(installation);
    return {
      async add(hostname) {
        const { status, body } = await calls.add("v9", { name: hostname });
        assert.ok(status < 300, body.error?.code);
      },
      async read(hostname) {
        const [{ body: domain }, { body: config }] = await Promise.all([
          calls.read(hostname),
          calls.config(hostname),
        ]);
        assertShape(domain);
        const failed = failure(domain);
        if (failed !== null) return failed;
        if (domain.verified) {
          if (!config.misconfigured) return { status: connected, records: [] };
          const records = [visitorRecord(domain, installation.fixed)];
          return { status: "Invalid Configuration", records };
        }
        const { body: verification } = await calls.verify(hostname);
        if (verification.verified) return { status: connected, records: [] };
        // The step with the address is closed in this state.
        return { status: "Pending Verification", records: textRecords(domain) };
      },
      check: null,
      async remove(hostname) {
        const { status } = await calls.request(
          "DELETE",
          `/v9/projects/${installation.project}/domains/${encodeURIComponent(hostname)}?teamId=team_example`,
        );
        assert.equal(status, 200);
      },
    };
  },
};

/** It parses the answer, an error's too, and throws at a field of another type. */
function assertShape(domain: Readonly<Record<string, unknown>>): void {
  const types: Readonly<Record<string, readonly string[]>> = {
    name: ["string", "undefined"],
    apexName: ["string", "undefined"],
    projectId: ["string", "undefined"],
    updatedAt: ["number", "undefined"],
    createdAt: ["number", "undefined"],
    verified: ["boolean", "undefined"],
  };
  for (const [field, allowed] of Object.entries(types)) {
    assert.ok(allowed.includes(typeof domain[field]), `${field}: ${typeof domain[field]}`);
  }
  const codes = [undefined, null, 301, 302, 307, 308];
  assert.ok(codes.includes(domain["redirectStatusCode"] as number | null | undefined));
}
