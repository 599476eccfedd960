import {
  createOperatorKey,
  type Environment,
  environments,
  isScope,
  type Scope,
  scopes,
} from "@mooring/control";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { RegisterAction } from "../action.ts";
import { exitCode } from "../exit-code.ts";
import { withDatabase } from "./session.ts";
import { shortName } from "./tenants.ts";

export function addKeys(program: Command, action: RegisterAction): void {
  const keys = program.command("keys").description("API keys");
  const create = keys
    .command("create")
    .description("make a key for one of a tenant's applications")
    .requiredOption("--tenant <tenant>", "id or name")
    .addOption(
      new Option("--environment <environment>", "which side of the wall")
        .choices(environments)
        .makeOptionMandatory(),
    )
    .requiredOption("--name <name>", "what the key is for, 1 to 100 characters", shortName)
    .option("--application <application>", "id or name", "Default")
    .option("--scope <scope...>", `any of ${scopes.join(", ")} (default: all)`, collectScopes);
  action(create, (output, _, options) =>
    withDatabase(output, async (runtime) => {
      const made = await createOperatorKey(runtime, readOptions(options));
      const lines = [
        `Key          ${made.secret}`,
        `Tenant       ${made.tenant.name}`,
        `Application  ${made.application.name} (${made.application.environment})`,
        `Scopes       ${made.key.scopes.join(", ")}`,
        "",
        "The key is shown this once.",
      ];
      output.result(lines.join("\n"), {
        key: made.secret,
        id: made.key.id,
        name: made.key.name,
        tenant_id: made.tenant.id,
        application_id: made.application.id,
        environment: made.application.environment,
        scopes: made.key.scopes,
      });
      return exitCode.done;
    }),
  );
}

function readOptions(options: Readonly<Record<string, unknown>>) {
  const text = (name: string): string => {
    const value = options[name];
    if (typeof value !== "string") throw new Error(`the option ${name} has no value`);
    return value;
  };
  return {
    tenant: text("tenant"),
    environment: requireEnvironment(text("environment")),
    application: text("application"),
    name: text("name"),
    ...(isScopeList(options["scope"]) ? { scopes: options["scope"] } : {}),
  };
}

function requireEnvironment(text: string): Environment {
  const found = environments.find((environment) => environment === text);
  if (!found) throw new Error(`there is no environment ${text}`);
  return found;
}

function collectScopes(text: string, before: readonly Scope[] = []): readonly Scope[] {
  if (!isScope(text)) throw new InvalidArgumentError(`There are ${scopes.join(", ")}.`);
  return before.includes(text) ? before : [...before, text];
}

function isScopeList(value: unknown): value is readonly Scope[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && isScope(one));
}
