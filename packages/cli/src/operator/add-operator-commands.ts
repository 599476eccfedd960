import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { addDoctor } from "./doctor.ts";
import { addDomainConnect } from "./domain-connect.ts";
import { addKeys } from "./keys.ts";
import { addMigrate } from "./migrate.ts";
import { addSecrets } from "./secrets.ts";
import { addServe } from "./serve.ts";
import { addTenants } from "./tenants.ts";

/** What an operator does on the machine, over the database. */
export function addOperatorCommands(program: Command, action: RegisterAction): void {
  program.commandsGroup("Operating an installation, over its database:");
  const all = [addServe, addMigrate, addTenants, addKeys, addSecrets, addDomainConnect, addDoctor];
  for (const add of all) add(program, action);
}
