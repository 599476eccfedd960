import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProviderError } from "../src/providers/adapter/errors.ts";
import type { Fetch } from "../src/providers/adapter/http.ts";
import { rec, suiteZone } from "./cases/case-context.ts";
import { simulators } from "./random-zones/all-simulators.ts";

/** Texts that become another host, port, path or user where a field is put into an address. */
const hostile = [
  "169.254.169.254",
  "evil.example/",
  "evil.example#",
  "evil.example?",
  "evil.example\\",
  "@evil.example",
  "x@evil.example:80/",
  ".evil.example",
  "../../evil.example",
  "//evil.example",
  "http://evil.example/",
  "eu-frankfurt-1.evil.example",
  "eu-frankfurt-1\n",
  "akab-x.luna.akamaiapis.net.evil.example",
  "evil.example/.luna.akamaiapis.net",
  "__proto__",
  "constructor",
  "%2f%2fevil.example",
  "\u0000",
] as const;

/**
 * Who gives a credential chooses every field of it. The signed requests must go to the provider
 * alone, unless the field is the address of a server that the customer runs.
 */
describe("hosts that a credential's fields lead to", () => {
  for (const { name, adapter, start } of simulators) {
    it(`are the provider's own: ${name}`, async () => {
      const { manifest } = adapter;
      const backend = await start();
      const signal = new AbortController().signal;
      const asked = async (fields: Readonly<Record<string, string>>) => {
        const hosts = new Set<string>();
        const fetch: Fetch = (url, init) => {
          hosts.add(new URL(url).host);
          return backend.fetch(url, init);
        };
        try {
          const provider = adapter.open(fields, { fetch, wait: async () => undefined });
          await provider.listZones(signal);
        } catch (error) {
          // What the customer typed is refused as such; it is no fault of ours.
          assert.ok(error instanceof ProviderError, `${JSON.stringify(fields)}: ${String(error)}`);
        }
        return hosts;
      };
      try {
        await backend.seed(suiteZone, [rec("@", "A", "192.0.2.10")]);
        const own = await asked(backend.credentials);
        assert.ok(own.size > 0);
        const fields = manifest.credentialFields.map(({ key }) => key);
        for (const key of fields.filter((one) => !manifest.serverFields?.includes(one))) {
          for (const text of hostile) {
            const hosts = [...(await asked({ ...backend.credentials, [key]: text }))];
            assert.deepEqual(
              hosts.filter((host) => !own.has(host)),
              [],
              `${key}: ${JSON.stringify(text)}`,
            );
          }
        }
      } finally {
        await backend.close();
      }
    });
  }
});
