import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../action.ts";
import { type Environment, processEnvironment } from "../../config.ts";
import { reportFailure } from "../failure.ts";
import { checkAccelerator } from "./checks/accelerator.ts";
import { checkAcme } from "./checks/acme.ts";
import { checkConfiguration, checkPrivateTargets } from "./checks/configuration.ts";
import { checkDatabase, checkSecretKey } from "./checks/database.ts";
import { checkEdgeCaa, checkEdgeName, checkEdgeTargets, checkResolvers } from "./checks/dns.ts";
import { checkFeed } from "./checks/feed.ts";
import { type Finding, fail } from "./checks/finding.ts";
import { checkBudgets } from "./checks/issuance.ts";
import { checkDataDirectory, checkDisk, checkNode, checkPorts } from "./checks/machine.ts";
import { checkPrivileges } from "./checks/privileges.ts";
import { checkRegistries } from "./checks/registries.ts";
import { checkReplica } from "./checks/replica.ts";
import { checkTransparency } from "./checks/transparency.ts";
import { checkAskUrl, checkBaseUrl, checkPrivatePaths } from "./checks/urls.ts";
import { checkValidation } from "./checks/validation.ts";

export function addDoctor(program: Command, action: RegisterAction): void {
  const command = program
    .command("doctor")
    .description("say what is wrong with the configuration and how to fix it; changes nothing");
  action(command, async (output) => {
    try {
      const findings = await examine(processEnvironment());
      const isOk = findings.every((finding) => finding.status !== "fail");
      output.result(findings.map(findingLine).join("\n"), { ok: isOk, findings });
      return isOk ? exitCode.done : exitCode.failed;
    } catch (error) {
      return reportFailure(output, error);
    }
  });
}

/** Every check, in the order in which a start would meet the failures. */
export async function examine(env: Environment): Promise<readonly Finding[]> {
  const { config, findings } = checkConfiguration(env);
  const isProduction = env["NODE_ENV"] === "production";
  const database = attempt("database", () => checkDatabase(config));
  const facts = database.then((found) => ("facts" in found ? found.facts : null));
  const checks = [
    attempt("node", () => checkNode(process.versions.node)),
    findings,
    attempt("data_dir", () => checkDataDirectory(config.dataDir)),
    attempt("disk", () => checkDisk(config.dataDir)),
    database.then((found) => ("facts" in found ? found.findings : found)),
    attempt("replica", async () => checkReplica(config, (await facts) !== null)),
    attempt("secret_key", async () => checkSecretKey(config, await facts)),
    attempt("could_read", async () =>
      (await facts) === null ? [] : checkPrivileges(config, isProduction),
    ),
    attempt("accelerator", () => checkAccelerator(config)),
    attempt("ports", () => checkPorts(config)),
    attempt("base_url", () => checkBaseUrl(config, isProduction)),
    attempt("private_paths", () => checkPrivatePaths(config, isProduction)),
    attempt("private_targets", () => checkPrivateTargets(config, isProduction)),
    attempt("dns_resolvers", () => checkResolvers(config.dnsResolvers)),
    attempt("ask_url", () => checkAskUrl(config)),
    attempt("edge_name", () => checkEdgeName(config, isProduction)),
    attempt("edge_targets", () => checkEdgeTargets(config)),
    attempt("edge_caa", () => checkEdgeCaa(config)),
    attempt("acme", () => checkAcme(config, isProduction)),
    attempt("ca_budget", async () => checkBudgets(config, await facts)),
    attempt("validation_zone", () => checkValidation(config)),
    attempt("rdap", async () => checkRegistries(config, await facts, new Date())),
    attempt("nats", () => checkFeed(config)),
    attempt("ct_logs", async () => checkTransparency(config, await facts)),
  ];
  return (await Promise.all(checks)).flat();
}

/** A check that fails itself is a finding: the others say what they have to say. */
async function attempt<T>(name: string, check: () => T | Promise<T>): Promise<T | Finding> {
  try {
    return await check();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fix = "correct the variables that it is about; they may be named in this line";
    return fail(name, `could not be checked: ${why}`, fix);
  }
}

/** As wide as the longest name of a check. */
const checkWidth = 18;

function findingLine({ status, check, detail, fix }: Finding): string {
  const line = `${status.padEnd(4)}  ${check.padEnd(checkWidth)}  ${detail}`;
  return fix === null ? line : `${line}\n${" ".repeat(checkWidth + 8)}→ ${fix}`;
}
