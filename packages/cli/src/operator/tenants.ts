import { createTenant, listTenants, setTenantPlan } from "@mooring/control";
import { type Command, InvalidArgumentError } from "commander";
import type { RegisterAction } from "../action.ts";
import { exitCode } from "../exit-code.ts";
import { table } from "../output.ts";
import { withDatabase } from "./session.ts";

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
        tenant.createdAt.toISOString(),
        tenant.name,
      ]);
      output.result(table(["ID", "PLAN", "CREATED", "NAME"], rows), { tenants: found });
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
}

/** The length that the database allows for names. */
export function shortName(text: string): string {
  if (text.length < 1 || text.length > 100) {
    throw new InvalidArgumentError("A name has 1 to 100 characters.");
  }
  return text;
}
