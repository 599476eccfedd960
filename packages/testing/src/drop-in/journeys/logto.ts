import assert from "node:assert/strict";
import { cloudflareCalls, textRecordsIn } from "./cloudflare-calls.ts";
import type { Product, VendorAnswer } from "./product.ts";

/**
 * Sign-in. Its page shows the fallback origin as the only CNAME, and above it every error that the
 * API names.
 */
export const logto: Product = {
  name: "Logto",
  source: {
    repository: "logto-io/logto",
    commit: "1fbc55441fd28d9e3e7d69c1522e7654dccfe99c",
    files: [
      "packages/core/src/utils/cloudflare/index.ts",
      "packages/core/src/libraries/domain.ts",
      "packages/schemas/src/foundations/jsonb-types/custom-domain.ts",
      "packages/console/src/pages/TenantSettings/TenantDomainSettings/CustomDomain/ActivationProcess/index.tsx",
    ],
  },
  target: "answers",
  connected: "Active",
  open(installation) {
    const calls = cloudflareCalls(installation);
    const stored = new Map<string, { readonly id: string; readonly cname: string }>();
    const readStatus = ({ body }: VendorAnswer): string => {
      const { status, ssl } = parse(body.result);
      if (status !== "active") return "PendingVerification";
      return ssl.status === "active" ? "Active" : "PendingSsl";
    };
    return {
      async add(hostname) {
        const [fallback, made] = await Promise.all([
          calls.fallbackOrigin(),
          calls.create({
            hostname,
            ssl: { method: "http", type: "dv", settings: { min_tls_version: "1.2" } },
          }),
        ]);
        assert.ok(fallback.status < 300 && made.status < 300, JSON.stringify(made.body));
        assert.equal(typeof fallback.body.result.origin, "string");
        stored.set(hostname, {
          id: parse(made.body.result).id,
          cname: fallback.body.result.origin,
        });
      },
      async read(hostname) {
        const { id, cname } = stored.get(hostname) ?? { id: "", cname: "" };
        const answer = await calls.read(id);
        const status = readStatus(answer);
        const { verification_errors: errors = [], ssl } = parse(answer.body.result);
        const messages = [
          ...errors,
          ...(ssl.validation_errors ?? []).map(({ message }) => message),
        ];
        if (status === "Active") return { status, records: [] };
        return {
          status,
          records: [{ host: hostname, type: "CNAME", value: cname }, ...textRecordsIn(messages)],
        };
      },
      // One after the other; what is not active after some days is deleted on both sides.
      async check(hostnames) {
        const results: boolean[] = [];
        for (const hostname of hostnames) {
          const answer = await calls.read(stored.get(hostname)?.id ?? "");
          results.push(answer.status === 200 && readStatus(answer) === "Active");
        }
        return results;
      },
      async remove(hostname) {
        const { id } = stored.get(hostname) ?? { id: "" };
        assert.equal((await calls.remove(id)).status, 200);
        assert.equal(
          (await calls.read(id)).status,
          404,
          "it takes 404 for a hostname that is gone",
        );
      },
    };
  },
};

interface Stored {
  readonly id: string;
  readonly status: string;
  readonly ssl: {
    readonly status: string;
    readonly validation_errors?: readonly { readonly message: string }[];
  };
  readonly verification_errors?: readonly string[];
}

/** It refuses an answer in which one of these has another type. */
function parse(result: Stored): Stored {
  const { id, status, ssl, verification_errors: errors } = result;
  for (const text of [id, status, ssl.status]) assert.equal(typeof text, "string");
  assert.ok(errors === undefined || errors.every((one) => typeof one === "string"));
  const { validation_errors: messages } = ssl;
  assert.ok(messages === undefined || messages.every(({ message }) => typeof message === "string"));
  return result;
}
