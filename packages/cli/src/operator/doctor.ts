import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { type Environment, processEnvironment } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import { checkAcme } from "./checks/acme.ts";
import { checkAskUrl } from "./checks/ask-url.ts";
import { checkBaseUrl } from "./checks/base-url.ts";
import { checkConfiguration } from "./checks/configuration.ts";
import { checkDataDirectory } from "./checks/data-directory.ts";
import { checkDatabase } from "./checks/database.ts";
import { checkDisk } from "./checks/disk.ts";
import { checkEdgeCaa, checkEdgeName } from "./checks/edge-name.ts";
import type { Finding } from "./checks/finding.ts";
import { checkNode } from "./checks/node-version.ts";
import { checkPorts } from "./checks/ports.ts";
import { checkPrivateTargets } from "./checks/private-targets.ts";
import { checkResolvers } from "./checks/resolvers.ts";
import { checkSecretKey } from "./checks/secret-key.ts";
import { reportFailure } from "./failure.ts";

export function addDoctor(program: Command, action: RegisterAction): void {
  const command = program
    .command("doctor")
    .description("say what is wrong with the set-up and how to mend it; changes nothing");
  action(command, async (output) => {
    try {
      const findings = await examine(processEnvironment());
      const isWell = findings.every((finding) => finding.status !== "fail");
      output.result(findings.map(lineOf).join("\n"), { ok: isWell, findings });
      return isWell ? exitCode.done : exitCode.failed;
    } catch (error) {
      return reportFailure(output, error);
    }
  });
}

/** Every check, in the order in which its failures would be met at a start. */
export async function examine(env: Environment): Promise<readonly Finding[]> {
  const { config, findings } = checkConfiguration(env);
  const isProduction = env["NODE_ENV"] === "production";
  const [disk, database, ports, resolvers, askUrl, edgeName, edgeCaa, acme] = await Promise.all([
    checkDisk(config.dataDir),
    checkDatabase(config),
    checkPorts(config),
    checkResolvers(config.dnsResolvers),
    checkAskUrl(config),
    checkEdgeName(config, isProduction),
    checkEdgeCaa(config),
    checkAcme(config, isProduction),
  ]);
  return [
    checkNode(process.versions.node),
    ...findings,
    checkDataDirectory(config.dataDir),
    disk,
    ...database.findings,
    checkSecretKey(config, database.facts),
    ...ports,
    checkBaseUrl(config, isProduction),
    checkPrivateTargets(config, isProduction),
    resolvers,
    askUrl,
    edgeName,
    edgeCaa,
    ...acme,
  ];
}

/** As wide as the longest name of a check. */
const checkWidth = 18;

function lineOf({ status, check, detail, mend }: Finding): string {
  const line = `${status.padEnd(4)}  ${check.padEnd(checkWidth)}  ${detail}`;
  return mend === null ? line : `${line}\n${" ".repeat(checkWidth + 8)}→ ${mend}`;
}
