import { type Config, type DatabaseInfo, databaseUrl, inspectBootstrap } from "@mooring/control";
import { type Finding, ok, warn } from "./finding.ts";

const check = "rdap";
const yearMs = 365 * 86_400_000;

/** Which bootstrap file says where registries are asked, and whether it is old. */
export async function checkRegistries(
  config: Config,
  facts: DatabaseInfo | null,
  now: Date,
): Promise<readonly Finding[]> {
  if (!config.rdap) return [ok(check, "off: registries are not asked about domains")];
  if (facts === null || facts.schema.actual !== facts.schema.expected) return [];
  const { publishedAt, isInstalled } = await inspectBootstrap(databaseUrl(config));
  const day = publishedAt.toISOString().slice(0, 10);
  const detail = `registries are asked by the bootstrap file of ${day}, ${isInstalled ? "installed" : "of the release"}`;
  return now.getTime() - publishedAt.getTime() <= yearMs
    ? [ok(check, detail)]
    : [warn(check, detail, "install a newer one with `mooring rdap refresh FILE`")];
}
