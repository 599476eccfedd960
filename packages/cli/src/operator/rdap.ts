import { readFile } from "node:fs/promises";
import { BootstrapError, refreshBootstrap } from "@mooring/control";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../action.ts";
import { withDatabase } from "./database/database.ts";

export function addRdap(program: Command, action: RegisterAction): void {
  const rdap = program
    .command("rdap")
    .description("which registries are asked about the domains of customers");
  const refresh = rdap
    .command("refresh")
    .description("install a newer bootstrap file of IANA (https://data.iana.org/rdap/dns.json)")
    .argument("<file>", "the file");
  action(refresh, (output, [file = ""]) =>
    withDatabase(output, async (runtime) => {
      try {
        const { bootstrap, woken } = await refreshBootstrap(runtime, await readFile(file, "utf8"));
        const publishedAt = bootstrap.publishedAt.toISOString();
        const suffixes = bootstrap.servers.size;
        const text = `installed: published ${publishedAt}, servers for ${suffixes} top-level domains`;
        output.result(woken === 0 ? text : `${text}; ${woken} domains are asked about first`, {
          published_at: publishedAt,
          suffixes,
          woken,
        });
        return exitCode.done;
      } catch (error) {
        const message = faultIn(error);
        if (message === null) throw error;
        output.failure([`${file}: ${message}`], { code: "invalid", message });
        return exitCode.failed;
      }
    }),
  );
}

/** What is wrong with the file; null for another failure. */
function faultIn(error: unknown): string | null {
  if (error instanceof BootstrapError) return error.message;
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return isMissing ? "there is no such file" : null;
}
