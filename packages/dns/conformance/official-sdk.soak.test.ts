import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { suiteZone } from "./bench.ts";
import { first, second, shown, tryOut } from "./sdk-bench.ts";
import { startCloudflare } from "./simulators/cloudflare.ts";

/** The part of Cloudflare's SDK that is used; the package is too large to be a dependency. */
interface CloudflareSdk {
  readonly Cloudflare: new (options: {
    readonly apiToken: string;
    readonly fetch: (input: unknown, init?: RequestInit) => Promise<Response>;
  }) => {
    readonly zones: {
      list(query: object): Promise<{ readonly result: readonly { readonly id: string }[] }>;
    };
    readonly dns: {
      readonly records: {
        list(query: object): Promise<{ readonly result: readonly CloudflareRecord[] }>;
        batch(changes: object): Promise<unknown>;
      };
    };
  };
}
interface CloudflareRecord {
  readonly id: string;
  readonly name: string;
}

/** Installs a package from the registry into a folder of its own. */
async function withPackage<T>(spec: string, work: (name: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "official-sdk-"));
  try {
    await writeFile(join(folder, "package.json"), '{"private":true}');
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts"];
    await promisify(execFile)("npm", ["install", ...flags, spec], { cwd: folder });
    return await work(join(folder, "index.js"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it("cloudflare's SDK works at the simulator", { timeout: 600_000 }, () =>
  withPackage("cloudflare@7.3.0", (from) =>
    tryOut("cloudflare", startCloudflare, async (send, { credentials }, seen) => {
      const sdk: CloudflareSdk = createRequire(from)("cloudflare");
      const client = new sdk.Cloudflare({
        apiToken: credentials["api_token"] ?? "",
        fetch: (input, init) => {
          const { body } = init ?? {};
          const headers = new Headers(init?.headers);
          return send(
            init?.method ?? "GET",
            String(input),
            headers,
            body == null ? null : String(body),
          );
        },
      });
      const zone_id = (await client.zones.list({ name: suiteZone })).result[0]?.id ?? "";
      assert.notEqual(zone_id, "");
      const { records } = client.dns;
      const name = `app.${suiteZone}`;
      const record = (content: string) => ({ type: "A", name, content, ttl: 300, proxied: false });
      await records.batch({ zone_id, posts: [record(first)] });
      assert.deepEqual(await seen(), shown(first));
      const idOf = async () => {
        const { result } = await records.list({ zone_id });
        return result.find((one) => one.name === name)?.id ?? "";
      };
      await records.batch({ zone_id, patches: [{ id: await idOf(), ...record(second) }] });
      assert.deepEqual(await seen(), shown(second));
      await records.batch({ zone_id, deletes: [{ id: await idOf() }] });
    }),
  ),
);
