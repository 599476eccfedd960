import assert from "node:assert/strict";
import { type Product, registrableDomain, type VendorAnswer } from "./product.ts";
import {
  failure,
  readsAsConnected,
  textRecords,
  vercelCalls,
  visitorRecord,
} from "./vercel-calls.ts";

const connected = "Valid Configuration";

/**
 * Short links. It asks for a wildcard of the domain before everything else, and its page shows
 * addresses that are constants of its source (`lib/domain-connect/constants.ts`).
 */
export const dub: Product = {
  name: "Dub",
  source: {
    repository: "dubinc/dub",
    commit: "1de955f782a72e1eff7b201ae54a909d5ceb5722",
    files: [
      "apps/web/lib/api/domains/add-domain-vercel.ts",
      "apps/web/lib/api/domains/get-domain-response.ts",
      "apps/web/lib/api/domains/get-config-response.ts",
      "apps/web/lib/api/domains/verify-domain.ts",
      "apps/web/lib/api/domains/remove-domain-vercel.ts",
      "apps/web/app/api/domains/[domain]/verify/route.ts",
      "apps/web/app/(ee)/api/cron/domains/verify/route.ts",
      "apps/web/ui/domains/domain-configuration.tsx",
    ],
  },
  target: "own",
  connected,
  open(installation) {
    const calls = vercelCalls(installation);
    const wildcard = (hostname: string) => {
      const apex = registrableDomain(hostname);
      return apex === hostname ? null : `*.${apex}`;
    };
    const read = async (hostname: string): Promise<VendorAnswer> => {
      const above = wildcard(hostname);
      const found = above === null ? null : await calls.read(above);
      return found?.body.verified ? found : calls.read(hostname);
    };
    const config = async (hostname: string): Promise<VendorAnswer> => {
      const above = wildcard(hostname);
      const found = above === null ? null : await calls.config(above);
      const isRight = found !== null && !found.body.error && found.body.misconfigured === false;
      return isRight ? found : calls.config(hostname);
    };
    /** Three times; the pause between them is left out. */
    const verify = async (hostname: string): Promise<boolean> => {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        if ((await calls.verify(hostname)).body?.verified) return true;
      }
      return false;
    };
    return {
      async add(hostname) {
        const above = wildcard(hostname);
        if (above !== null && (await calls.read(above)).body.verified) return;
        const { body } = await calls.add("v10", { name: hostname });
        assert.ok(!body.error || body.error.code === "domain_already_in_use", body.error?.message);
      },
      async read(hostname) {
        const [{ body: domain }, { body: configured }] = await Promise.all([
          read(hostname),
          config(hostname),
        ]);
        const failed = failure(domain);
        if (failed !== null) return failed;
        if (configured.conflicts.length > 0) {
          return { status: "Conflicting DNS Records", records: [] };
        }
        const visitors = visitorRecord(domain, installation.fixed);
        if (!domain.verified && !(await verify(hostname))) {
          return { status: "Pending Verification", records: [visitors, ...textRecords(domain)] };
        }
        const { misconfigured } = domain.verified ? configured : (await config(hostname)).body;
        return misconfigured
          ? { status: "Invalid Configuration", records: [visitors] }
          : { status: connected, records: [] };
      },
      // Every hour for 30 domains at once.
      check: (hostnames) =>
        Promise.all(hostnames.map((name) => readsAsConnected(calls, name, read, config))),
      async remove(hostname) {
        const { body } = await calls.removeEverywhere(hostname);
        assert.equal(body.error, undefined);
      },
    };
  },
};
