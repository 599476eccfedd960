import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../action.ts";
import { type Environment, processEnvironment } from "../../config.ts";
import { reportFailure } from "../failure.ts";
import { checkAcme } from "./checks/acme.ts";
import { checkConfiguration, checkPrivateTargets } from "./checks/configuration.ts";
import { checkDatabase, checkSecretKey } from "./checks/database.ts";
import { checkEdgeCaa, checkEdgeName, checkEdgeTargets, checkResolvers } from "./checks/dns.ts";
import { checkFeed } from "./checks/feed.ts";
import type { Finding } from "./checks/finding.ts";
import { checkBudgets } from "./checks/issuance.ts";
import { checkDataDirectory, checkDisk, checkNode, checkPorts } from "./checks/machine.ts";
import { checkPrivileges } from "./checks/privileges.ts";
import { checkReplica } from "./checks/replica.ts";
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
  const [disk, database, ports, resolvers, askUrl, edge, acme, validation, feed] =
    await Promise.all([
      checkDisk(config.dataDir),
      checkDatabase(config),
      checkPorts(config),
      checkResolvers(config.dnsResolvers),
      checkAskUrl(config),
      Promise.all([
        checkEdgeName(config, isProduction),
        checkEdgeTargets(config),
        checkEdgeCaa(config),
      ]),
      checkAcme(config, isProduction),
      checkValidation(config),
      checkFeed(config),
    ]);
  const budgets = await checkBudgets(config, database.facts);
  const replica = await checkReplica(config, database.facts !== null);
  const privatePaths = await checkPrivatePaths(config, isProduction);
  const privileges = database.facts === null ? [] : await checkPrivileges(config, isProduction);
  return [
    checkNode(process.versions.node),
    ...findings,
    checkDataDirectory(config.dataDir),
    disk,
    ...database.findings,
    ...replica,
    checkSecretKey(config, database.facts),
    ...privileges,
    ...ports,
    checkBaseUrl(config, isProduction),
    privatePaths,
    checkPrivateTargets(config, isProduction),
    resolvers,
    askUrl,
    ...edge,
    ...acme,
    ...budgets,
    ...validation,
    ...feed,
  ];
}

/** As wide as the longest name of a check. */
const checkWidth = 18;

function findingLine({ status, check, detail, fix }: Finding): string {
  const line = `${status.padEnd(4)}  ${check.padEnd(checkWidth)}  ${detail}`;
  return fix === null ? line : `${line}\n${" ".repeat(checkWidth + 8)}→ ${fix}`;
}
