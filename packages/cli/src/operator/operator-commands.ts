import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import type { ProgramPart } from "../program.ts";

/**
 * Operation on the server, over the database. The modules take a second to load, so they are loaded only
 * when the command line asks for one of these commands, or for help about all.
 */
export const operatorCommands: ProgramPart = {
  description: "Mooring, an open domain-connection service: daily use and operation",
  epilogue: `Operating: settings come from the environment (DATABASE_URL, SECRET_KEY, DATA_DIR, PORT, …). Without
DATABASE_URL the database that \`serve all\` or \`npm start\` runs under DATA_DIR is used.
`,
  hint: null,
  async add(program, action, name) {
    if (name === "serve") {
      const { addServe } = await import("./serve.ts");
      addServe(program, action);
    } else if (!program.commands.some((command) => command.name() === name)) {
      await addOperatorCommands(program, action);
    }
  },
};

async function addOperatorCommands(program: Command, action: RegisterAction): Promise<void> {
  program.commandsGroup("Operating an installation, over its database:");
  const { addServe } = await import("./serve.ts");
  const { addMigrate } = await import("./database.ts");
  const { addKeys, addTenants } = await import("./tenants.ts");
  const { addSecrets } = await import("./secrets.ts");
  const { addDomainConnect } = await import("./domain-connect.ts");
  const { addConsole } = await import("./console.ts");
  const { addDoctor } = await import("./doctor.ts");
  const { addParked } = await import("./parked.ts");
  const { addDrill } = await import("./drill/drill.ts");
  const { addImport } = await import("./import/import.ts");
  const { addExplain } = await import("./explain.ts");
  const tenants = [addTenants, addKeys, addConsole, addSecrets, addDomainConnect];
  const all = [
    addServe,
    addMigrate,
    ...tenants,
    addImport,
    addParked,
    addDrill,
    addExplain,
    addDoctor,
  ];
  for (const add of all) add(program, action);
}
