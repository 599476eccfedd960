import {
  deleteTenant,
  type Resumed,
  resumeTenant,
  suspendTenant,
  type TenantDeletion,
} from "@mooring/control";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { withDatabase } from "../database/database.ts";

/** `mooring tenants suspend`, `resume` and `delete`. */
export function addTenantStates(tenants: Command, action: RegisterAction): void {
  const suspend = tenants
    .command("suspend")
    .description("serve a maintenance page for all its names, and let it read only")
    .argument("<tenant>", "id or name")
    .option("--reason <text>", "for operators, and the audit log; 1 to 500 characters");
  action(suspend, (output, [tenant = ""], { reason }) =>
    withDatabase(output, async (runtime) => {
      const text = typeof reason === "string" ? reason : null;
      const suspended = await suspendTenant(runtime, tenant, text);
      output.result(
        `${suspended.name} is suspended: its names are served by the maintenance page. Checks, certificates and webhooks continue.`,
        { tenant: suspended },
      );
      return exitCode.done;
    }),
  );

  const resume = tenants
    .command("resume")
    .description("end a suspension, or a deletion within its 30 days")
    .argument("<tenant>", "id or name");
  action(resume, (output, [tenant = ""]) =>
    withDatabase(output, async (runtime) => {
      const resumed = await resumeTenant(runtime, tenant);
      output.result(resumedText(resumed), resumed);
      return exitCode.done;
    }),
  );

  const remove = tenants
    .command("delete")
    .description("archive all of it, and remove it after 30 days; a dry run by default")
    .argument("<tenant>", "id or name")
    .option("--yes", "do it; without this nothing is changed");
  action(remove, (output, [tenant = ""], { yes }) =>
    withDatabase(output, async (runtime) => {
      const deletion = await deleteTenant(runtime, tenant, { isApplied: yes === true });
      output.result(deletionText(deletion), {
        applied: deletion.isApplied,
        tenant: deletion.tenant,
        counts: deletion.counts,
        removed_after: deletion.removedAfter.toISOString(),
      });
      return exitCode.done;
    }),
  );
}

function resumedText({ tenant, from }: Resumed): string {
  if (from === "active") return `${tenant.name} is active: nothing to resume`;
  if (from === "suspended") return `${tenant.name} is active again`;
  return [
    `${tenant.name} is active again and will not be removed.`,
    "What was archived stays archived, revoked keys and ended sessions stay so, and webhook endpoints that were",
    "turned off stay off: make a key with `mooring keys create`, and connect the names again.",
  ].join("\n");
}

function deletionText({ tenant, counts, removedAfter, isApplied }: TenantDeletion): string {
  const { open_connections, hostnames, api_keys, sessions, webhook_endpoints } = counts;
  const removed = [
    amount(counts.connections, "connection"),
    amount(counts.applications, "application"),
    amount(counts.members, "member"),
    amount(counts.credentials, "DNS credential"),
    amount(counts.events, "event"),
    amount(counts.deliveries, "delivery", "deliveries"),
    amount(counts.audit_entries, "audit entry", "audit entries"),
  ];
  const next = isApplied
    ? `Until then \`mooring tenants resume ${tenant.id}\` stops the removal; what is archived stays so.`
    : `Nothing was changed. To do it: mooring tenants delete ${tenant.id} --yes`;
  const at = removedAfter.toISOString();
  return [
    `${isApplied ? "Deleting" : "Would delete"} ${tenant.name} (${tenant.id})`,
    `Archived by workers now: ${amount(open_connections, "connection")}, which hold ${amount(hostnames, "hostname")}`,
    `Ended now: ${amount(api_keys, "API key")}, ${amount(sessions, "session")}`,
    `Turned off after the last event: ${amount(webhook_endpoints, "webhook endpoint")}`,
    `Removed after ${at}, with all that belongs to them: ${removed.join(", ")}`,
    ...(counts.subscriptions > 0
      ? ["It has a subscription at Stripe, which continues: cancel it there."]
      : []),
    next,
  ].join("\n");
}

function amount(number: number, noun: string, several = `${noun}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : several}`;
}
