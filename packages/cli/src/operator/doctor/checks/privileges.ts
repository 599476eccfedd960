import { inspectLogin, type LoginFacts, loginRoles } from "@mooring/control";
import { type Config, databaseUrl, loadEdgeKeys } from "@mooring/control/settings";
import {
  ownUrl,
  type ProcessName,
  processKinds,
  requestedProcesses,
} from "../../serve/processes.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** What each process could read if it were taken over: by its login, and by its keys. */
export async function checkPrivileges(
  config: Config,
  isProduction: boolean,
): Promise<readonly Finding[]> {
  return Promise.all(
    requestedProcesses(config)
      .filter((name) => !processKinds[name].hasNoDatabase?.(config))
      .map((name) => checkProcess(name, config, isProduction)),
  );
}

/**
 * On one machine all processes are the same user's: only in production is a wide reach a problem.
 */
async function checkProcess(
  name: ProcessName,
  config: Config,
  isProduction: boolean,
): Promise<Finding> {
  const check = `${name}_could_read`;
  const variable = `DATABASE_URL_${name === "issuer" ? "EDGE" : name.toUpperCase()}`;
  try {
    const facts = await inspectLogin(ownUrl(name, config) ?? databaseUrl(config));
    const detail = `${reachText(facts)}, with ${keysText(name, config)}`;
    const fixes = [
      ...(isTooWide(name, facts) ? [`set ${variable} and run \`mooring migrate\``] : []),
      ...(isEdgePlane(name) && config.secretKeyEdge === null
        ? ["set SECRET_KEY_EDGE to what `mooring secrets export --for edge` prints"]
        : []),
    ];
    const isFine = fixes.length === 0 || !isProduction;
    return isFine ? ok(check, detail) : warn(check, detail, fixes.join("; "));
  } catch (error) {
    // The checks of the database and of the keys say why.
    const reason = error instanceof Error ? error.message : "unknown";
    return warn(check, `not known: ${reason}`, `correct DATABASE_URL, ${variable} or the keys`);
  }
}

function reachText({ user, isUnbound, roles, secrets }: LoginFacts): string {
  if (isUnbound) return `${user} can read every table`;
  return `${user} acts as ${roles.join(", ") || "nobody"} and can read the secrets in ${secrets.join(", ") || "no table"}`;
}

function isTooWide(name: ProcessName, { isUnbound, roles }: LoginFacts): boolean {
  const expected: readonly string[] = loginRoles[name];
  return isUnbound || roles.some((role) => !expected.includes(role));
}

function keysText(name: ProcessName, config: Config): string {
  if (name === "dns") return "no keys";
  if (!isEdgePlane(name) || config.secretKeyEdge === null) return "the keys to all of them";
  const ring = loadEdgeKeys(config);
  if (!("currentKeyId" in ring)) return "the keys to all of them";
  const [first] = ring.byKeyId.values();
  return `keys for ${[...(first?.keys() ?? [])].join(", ")} only`;
}

/** Whether the edge's keys and login are enough for the process. */
function isEdgePlane(name: ProcessName): boolean {
  return name === "edge" || name === "issuer";
}
