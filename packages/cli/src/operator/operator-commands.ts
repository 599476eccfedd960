import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import type { ProgramPart } from "../program.ts";

type Add = (program: Command, action: RegisterAction) => void;

/**
 * In the order of the help. The modules take seconds to load, so only what is asked for is loaded.
 */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  serve: async () => (await import("./serve/serve.ts")).addServe,
  migrate: async () => (await import("./database/database.ts")).addMigrate,
  backup: async () => (await import("./backup/backup.ts")).addBackup,
  restore: async () => (await import("./backup/backup.ts")).addRestore,
  tenants: async () => (await import("./tenants/tenants.ts")).addTenants,
  keys: async () => (await import("./tenants/tenants.ts")).addKeys,
  console: async () => (await import("./tenants/console.ts")).addConsole,
  secrets: async () => (await import("./secrets/secrets.ts")).addSecrets,
  "domain-connect": async () =>
    (await import("./domain-connect/domain-connect.ts")).addDomainConnect,
  import: async () => (await import("./import/import.ts")).addImport,
  parked: async () => (await import("./parked.ts")).addParked,
  rdap: async () => (await import("./rdap.ts")).addRdap,
  ct: async () => (await import("./ct.ts")).addCt,
  drill: async () => (await import("./drill/drill.ts")).addDrill,
  explain: async () => (await import("./explain/explain.ts")).addExplain,
  doctor: async () => (await import("./doctor/doctor.ts")).addDoctor,
};

/** Operation on the server, over the database: one of its commands, or all for a help about all. */
export const operatorCommands: ProgramPart = {
  description: "Mooring, an open domain-connection service: daily use and operation",
  epilogue: `Operating: settings come from the environment (DATABASE_URL, SECRET_KEY, DATA_DIR, PORT, …). Without
DATABASE_URL the database that \`serve all\` or \`npm start\` runs under DATA_DIR is used.
`,
  hint: null,
  async add(program, action, name) {
    const isOther = name === "--version" || program.commands.some((each) => each.name() === name);
    if (isOther) return;
    program.commandsGroup("Operating an installation, over its database:");
    const load = name === undefined ? undefined : commands[name];
    for (const each of load ? [load] : Object.values(commands)) (await each())(program, action);
  },
};
