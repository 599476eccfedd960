import { listParked, wakeParkedWork } from "@mooring/control";
import { type Command, InvalidArgumentError } from "commander";
import { exitCode, type RegisterAction } from "../action.ts";
import { table } from "../output.ts";
import { withDatabase } from "./database/database.ts";

export function addParked(program: Command, action: RegisterAction): void {
  const parked = program
    .command("parked")
    .description("connections and deliveries whose work failed for good, and is no longer tried");
  action(parked.command("list").description("list them, longest parked first"), (output) =>
    withDatabase(output, async (runtime) => {
      const found = await listParked(runtime);
      const rows = found.map((row) => [
        row.work,
        row.id,
        row.subject,
        row.parkedAt.toISOString(),
        row.reason ?? "",
      ]);
      const text =
        rows.length === 0
          ? "Nothing is parked."
          : table(["WORK", "ID", "SUBJECT", "PARKED", "REASON"], rows);
      output.result(text, { parked: found });
      return exitCode.done;
    }),
  );

  const wake = parked
    .command("wake")
    .description("have workers try them again; those that fail again are parked again")
    .argument("[ids...]", "those with these ids", collectIds)
    .option("--all", "all of them");
  action(wake, (output, ids, options) =>
    withDatabase(output, async (runtime) => {
      const isAll = options["all"] === true;
      if (isAll === ids.length > 0) {
        output.failure(["name ids, or give --all"], { code: "usage", message: "no ids" });
        return exitCode.usage;
      }
      const woken = await wakeParkedWork(runtime, isAll ? "all" : ids);
      output.result(`${woken} woken`, { woken });
      return exitCode.done;
    }),
  );
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function collectIds(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!uuid.test(text)) throw new InvalidArgumentError("An id is a UUID.");
  return [...(before ?? []), text];
}
