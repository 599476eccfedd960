import assert from "node:assert/strict";
import type { Product } from "./product.ts";
import { failure, textRecords, vercelCalls, vercelHeaders, visitorRecord } from "./vercel-calls.ts";

const connected = "Valid Configuration";

/** Chat bots. It has the project by its name, and the vendor's addresses in its page. */
export const typebot: Product = {
  name: "Typebot",
  source: {
    repository: "baptisteArno/typebot.io",
    commit: "830ba7139bc1e4146ee078c8241bd0b7b25cc218",
    files: [
      "apps/builder/src/features/customDomains/api/handleCreateCustomDomain.ts",
      "apps/builder/src/features/customDomains/api/handleVerifyCustomDomain.ts",
      "apps/builder/src/features/customDomains/api/handleDeleteCustomDomain.ts",
      "apps/builder/src/features/customDomains/components/CustomDomainConfigDialog.tsx",
      "apps/builder/src/features/customDomains/components/CreateCustomDomainDialog.tsx",
    ],
  },
  target: "edge",
  connected,
  open(installation) {
    const calls = vercelCalls(installation);
    return {
      async add(hostname) {
        // Its client sends the header in lower case, and takes 409 for a name that is there.
        const { status } = await calls.request(
          "POST",
          `/v10/projects/${installation.project}/domains?teamId=team_example`,
          {
            headers: {
              authorization: vercelHeaders(installation).Authorization,
              accept: "application/json",
              "content-type": "application/json",
            },
            body: JSON.stringify({ name: hostname }),
          },
        );
        assert.ok(status < 300 || status === 409, String(status));
      },
      async read(hostname) {
        const [{ body: domain }, { body: config }] = await Promise.all([
          calls.read(hostname),
          calls.config(hostname),
        ]);
        const failed = failure(domain);
        if (failed !== null) return failed;
        if (!domain.verified) {
          const { body } = await calls.verify(hostname);
          return body?.verified
            ? { status: connected, records: [] }
            : { status: "Pending Verification", records: textRecords(domain) };
        }
        if (!config.misconfigured) return { status: connected, records: [] };
        const records = [visitorRecord(domain, installation.fixed)];
        return { status: "Invalid Configuration", records };
      },
      check: null,
      async remove(hostname) {
        const { status } = await calls.remove(hostname);
        assert.equal(status, 200);
      },
    };
  },
};
