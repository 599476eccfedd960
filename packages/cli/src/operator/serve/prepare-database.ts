import {
  bootstrap,
  type Config,
  checkRootKeys,
  createConsoleLink,
  databaseUrl,
  type FirstTenant,
  listTenants,
  type OpenedRuntime,
} from "@mooring/control";
import type { Output } from "../../output.ts";
import { bringUpToDate, provideLogins, withOperator } from "../database/database.ts";
import type { EmbeddedDatabase } from "../database/embedded-database.ts";
import { writeServedAddress } from "../database/served-address.ts";
import { refuseLostRootKey } from "../secrets/root-key.ts";

interface Preparation {
  readonly config: Config;
  readonly output: Output;
  /** Null for one that DATABASE_URL names. */
  readonly embedded: EmbeddedDatabase | null;
  /** Runs with the operator's role, after the first tenant exists. */
  readonly prepareLocal: PrepareLocal | undefined;
}

/** What a start on one machine prepares. */
export type PrepareLocal = (
  runtime: OpenedRuntime["runtime"],
  first: FirstTenant | null,
) => Promise<void>;

/** Returns the first tenant with its keys when this start has created it. */
export async function prepareDatabase({
  config,
  output,
  embedded,
  prepareLocal,
}: Preparation): Promise<FirstTenant | null> {
  await embedded?.start();
  if (embedded !== null) await writeServedAddress(config);
  const { applied, version } = await bringUpToDate(databaseUrl(config));
  if (applied.length > 0) {
    output.progress(`database schema is now at version ${version}`, { state: "migrated", version });
  }
  await provideLogins(config, output);
  await refuseLostRootKey(config);
  return withOperator(config, async (runtime) => {
    await checkRootKeys(runtime);
    const first = await bootstrap(runtime);
    await prepareLocal?.(runtime, first);
    return first;
  });
}

/** A link that signs in to the console; null when there is no tenant. */
export async function consoleUrl(
  config: Config,
  first: FirstTenant | null,
): Promise<string | null> {
  return withOperator(config, async (runtime) => {
    const tenants = await listTenants(runtime);
    const tenant =
      first?.tenant ?? tenants.find(({ name }) => name === "Default") ?? tenants[0] ?? null;
    if (tenant === null) return null;
    const request = { tenant: tenant.id, role: "owner", email: null } as const;
    return (await createConsoleLink(runtime, request)).url;
  });
}
