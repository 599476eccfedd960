import { listLogHealth, resumeStoppedLog } from "@mooring/control";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../action.ts";
import { table } from "../output.ts";
import { withDatabase } from "./database/database.ts";

export function addCt(program: Command, action: RegisterAction): void {
  const ct = program
    .command("ct")
    .description("the certificate transparency logs that workers read (CT_LOGS)");
  action(ct.command("list").description("how far each is read, and which are stopped"), (output) =>
    withDatabase(output, async (runtime) => {
      const logs = await listLogHealth(runtime);
      const rows = logs.map((log) => [
        log.id.slice(0, 16),
        log.description,
        `${Math.round(log.behindSeconds)} s`,
        String(log.entriesRead),
        log.stopReason ?? log.lastError ?? "",
      ]);
      const head = ["ID", "LOG", "BEHIND", "ENTRIES", "TROUBLE"];
      output.result(rows.length === 0 ? "No log is read." : table(head, rows), { logs });
      return exitCode.done;
    }),
  );

  const resume = ct
    .command("resume")
    .description("read a stopped log again, from its present head on")
    .argument("<id>", "its id, or the beginning of it");
  action(resume, (output, [prefix = ""]) =>
    withDatabase(output, async (runtime) => {
      const found = (await listLogHealth(runtime)).filter(
        ({ id, stopReason }) => stopReason !== null && id.startsWith(prefix),
      );
      const [log] = found;
      if (log === undefined || found.length > 1) {
        const message = log === undefined ? "no stopped log has this id" : "several logs have it";
        output.failure([message], { code: "usage", message });
        return exitCode.usage;
      }
      await resumeStoppedLog(runtime, log.id);
      output.result(`${log.description} is read again`, { resumed: log.id });
      return exitCode.done;
    }),
  );
}
