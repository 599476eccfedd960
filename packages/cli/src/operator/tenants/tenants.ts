import {
  createOperatorKey,
  createTenant,
  type Environment,
  environments,
  isRole,
  isScope,
  listTenants,
  roles,
  type Scope,
  scopes,
  setConsoleDomain,
  setTenantPlan,
} from "@mooring/control";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { table } from "../../output.ts";
import { withDatabase } from "../database/database.ts";
import { addTenantStates } from "./tenant-states.ts";

export function addTenants(program: Command, action: RegisterAction): void {
  const tenants = program.command("tenants").description("who uses this installation");
  const create = tenants
    .command("create")
    .description("make a tenant with a test and a live key")
    .argument("<name>", "1 to 100 characters", shortName);
  action(create, (output, [name = ""]) =>
    withDatabase(output, async (runtime) => {
      const { tenant, keys } = await createTenant(runtime, name);
      const rows = [
        `Tenant    ${tenant.name}`,
        `Id        ${tenant.id}`,
        `Plan      ${tenant.plan}`,
        `Test key  ${keys.test}`,
        `Live key  ${keys.live}`,
        "",
        "The keys are shown this once.",
      ];
      output.result(rows.join("\n"), { tenant, keys });
      return exitCode.done;
    }),
  );

  action(tenants.command("list").description("list the tenants"), (output) =>
    withDatabase(output, async (runtime) => {
      const found = await listTenants(runtime);
      const rows = found.map((tenant) => [
        tenant.id,
        tenant.plan,
        tenant.state,
        tenant.createdAt.toISOString(),
        tenant.name,
      ]);
      output.result(table(["ID", "PLAN", "STATE", "CREATED", "NAME"], rows), { tenants: found });
      return exitCode.done;
    }),
  );

  const setPlan = tenants
    .command("set-plan")
    .description("move a tenant to another plan")
    .argument("<tenant>", "id or name")
    .argument("<plan>", "id or name of the plan");
  action(setPlan, (output, [tenant = "", plan = ""]) =>
    withDatabase(output, async (runtime) => {
      const changed = await setTenantPlan(runtime, tenant, plan);
      output.result(`${changed.name} is on the plan ${changed.plan}`, { tenant: changed });
      return exitCode.done;
    }),
  );
  addSetDomain(tenants, action);
  addTenantStates(tenants, action);
}

function addSetDomain(tenants: Command, action: RegisterAction): void {
  const choices = [...roles, "none"];
  const setDomain = tenants
    .command("set-domain")
    .description("let people of a mail domain sign in with OpenID Connect, or `none` of them")
    .argument("<tenant>", "id or name")
    .argument("<domain>", "of verified mail addresses, such as example.com")
    .addArgument(new Argument("<role>", "of who signs in for the first time").choices(choices));
  action(setDomain, (output, [tenant = "", domain = "", role = ""]) =>
    withDatabase(output, async (runtime) => {
      const requested = isRole(role) ? role : null;
      const changed = await setConsoleDomain(runtime, tenant, domain, requested);
      const text =
        requested === null
          ? `addresses of ${domain} no longer make members of ${changed.name}`
          : `addresses of ${domain} make people ${requested} of ${changed.name}`;
      output.result(text, { tenant: changed, domain, role: requested });
      return exitCode.done;
    }),
  );
}

/** Refuses a name that is longer than the database allows. */
function shortName(text: string): string {
  if (text.length < 1 || text.length > 100) {
    throw new InvalidArgumentError("A name has 1 to 100 characters.");
  }
  return text;
}

export function addKeys(program: Command, action: RegisterAction): void {
  const keys = program.command("keys").description("API keys");
  const create = keys
    .command("create")
    .description("make a key for one of a tenant's applications")
    .requiredOption("--tenant <tenant>", "id or name")
    .addOption(
      new Option("--environment <environment>", "test or live")
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
