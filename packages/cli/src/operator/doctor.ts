import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { type Environment, processEnvironment } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import { checkBaseUrl } from "./checks/base-url.ts";
import { checkConfiguration } from "./checks/configuration.ts";
import { checkDataDirectory } from "./checks/data-directory.ts";
import { checkDatabase } from "./checks/database.ts";
import type { Finding } from "./checks/finding.ts";
import { checkNode } from "./checks/node-version.ts";
import { checkPorts } from "./checks/ports.ts";
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
  const [database, ports, resolvers] = await Promise.all([
    checkDatabase(config),
    checkPorts(config),
    checkResolvers(config.DNS_RESOLVERS),
  ]);
  return [
    checkNode(process.versions.node),
    ...findings,
    checkDataDirectory(config.DATA_DIR),
    ...database.findings,
    checkSecretKey(config, database.facts),
    ...ports,
    checkBaseUrl(config, env["NODE_ENV"] === "production"),
    resolvers,
  ];
}

function lineOf({ status, check, detail, mend }: Finding): string {
  const line = `${status.padEnd(4)}  ${check.padEnd(14)}  ${detail}`;
  return mend === null ? line : `${line}\n${" ".repeat(22)}→ ${mend}`;
}
