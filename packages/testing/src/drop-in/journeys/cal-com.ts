import assert from "node:assert/strict";
import type { Product } from "./product.ts";
import { vercelCalls } from "./vercel-calls.ts";

/**
 * Scheduling. The names are below the operator's own domain, one for each organization; nobody is
 * shown a record, and nothing is read again.
 */
export const calCom: Product = {
  name: "Cal.com",
  source: {
    repository: "calcom/cal.com",
    commit: "44ccc72f99d5cdfe99bb721de1d8f79c7a84825e",
    files: [
      "packages/lib/domainManager/deploymentServices/vercel.ts",
      "packages/lib/domainManager/organization.ts",
    ],
  },
  target: null,
  connected: "created",
  open(installation) {
    const calls = vercelCalls(installation);
    let isCreated = false;
    return {
      async add(hostname) {
        const { body } = await calls.add("v9", { name: hostname });
        assertError(body.error);
        isCreated = !body.error || body.error.code === "domain_already_in_use";
      },
      read: async () => ({ status: isCreated ? "created" : "failed", records: [] }),
      check: null,
      async remove(hostname) {
        const { body } = await calls.remove(hostname);
        assertError(body.error);
        assert.ok(!body.error || body.error.code === "not_found", body.error?.message);
      },
    };
  },
};

/** It parses every answer for these fields of an error, and gives up at another type. */
function assertError(error: Readonly<Record<string, unknown>> | undefined): void {
  if (error === undefined) return;
  for (const field of ["code", "message"]) {
    assert.ok([undefined, null].includes(error[field] as null) || typeof error[field] === "string");
  }
  const { invalidToken } = error;
  assert.ok(invalidToken === undefined || typeof invalidToken === "boolean");
}
