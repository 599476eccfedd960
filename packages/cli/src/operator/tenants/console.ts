import {
  type ConsoleLink,
  createConsoleLink,
  createOperatorLink,
  isRole,
  roles,
} from "@mooring/control";
import { type Command, Option } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { withDatabase } from "../database/database.ts";
import { CommandError } from "../failure.ts";

/** `mooring console link`: the way in to the console, for members and for the operator. */
export function addConsole(program: Command, action: RegisterAction): void {
  const console = program.command("console").description("the console in a browser");
  const link = console
    .command("link")
    .description("make a link that signs in once, within 15 minutes")
    .option("--tenant <tenant>", "id or name")
    .addOption(new Option("--role <role>", "what the session may do").choices(roles))
    .option("--email <address>", "whose session it is: a member, made with --role when new")
    .option("--operator", "the read-only view over all tenants");
  action(link, (output, _, options) =>
    withDatabase(output, async (runtime) => {
      const made = options["operator"]
        ? await createOperatorLink(runtime)
        : await createConsoleLink(runtime, readOptions(options));
      output.result(linkText(made), {
        url: made.url,
        expires_at: made.expiresAt.toISOString(),
        tenant_id: made.tenant?.id ?? null,
        member_id: made.member?.id ?? null,
        role: made.role,
        operator: made.tenant === null,
      });
      return exitCode.done;
    }),
  );
}

function readOptions(options: Readonly<Record<string, unknown>>) {
  const { tenant, role, email } = options;
  if (typeof tenant !== "string") {
    throw new CommandError("say which tenant, or --operator", exitCode.usage);
  }
  return {
    tenant,
    role: typeof role === "string" && isRole(role) ? role : null,
    email: typeof email === "string" ? email : null,
  };
}

function linkText({ url, tenant, role, member }: ConsoleLink): string {
  const who = member?.email ?? (role === null ? "the operator" : `the role ${role}`);
  const where = tenant === null ? "" : ` of ${tenant.name}`;
  return `${url}\n\nSigns in ${who}${where}, once, within 15 minutes.`;
}
