import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { addApps } from "./apps/apps.ts";
import { addApiOptions } from "./client.ts";
import { addConnections } from "./connections/connections.ts";
import { addCredentials } from "./credentials/credentials.ts";
import { addDomains } from "./domains.ts";
import { addEmail } from "./email.ts";
import { addListen } from "./listen/listen.ts";
import { addProviders } from "./providers.ts";
import { addSandbox } from "./sandbox/sandbox.ts";
import { addTokens } from "./tokens.ts";
import { addUsage } from "./usage.ts";
import { addWebhooks } from "./webhooks/webhooks.ts";

/** What a tenant does every day, over the API. */
export function addTenantCommands(program: Command, action: RegisterAction): void {
  addApiOptions(program);
  program.commandsGroup("Daily use, over the API:");
  const commands = [
    addConnections,
    addDomains,
    addApps,
    addCredentials,
    addProviders,
    addWebhooks,
    addListen,
    addSandbox,
    addEmail,
    addTokens,
    addUsage,
  ];
  for (const add of commands) add(program, action);
}
