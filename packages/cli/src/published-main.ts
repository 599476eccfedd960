#!/usr/bin/env node
import { endWithReader } from "./output.ts";
import { type ProgramPart, runCommand } from "./program.ts";

/** The program of the published package: daily use over the API, without the server. */
const dailyUse: ProgramPart = {
  description: "Mooring, an open domain-connection service: daily use over its API",
  epilogue: "",
  hint: "This package has the commands for daily use; those that operate an installation come with the server.",
  add: async () => undefined,
};

endWithReader();
process.exitCode = await runCommand(process.argv.slice(2), dailyUse);
