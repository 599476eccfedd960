import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  ElicitResultSchema,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { usageFailure } from "../explain.ts";
import { applicationId, connectionId } from "../references.ts";
import { type Answer, appliedPlan, plannedChange } from "./answers.ts";
import { type Change, type ChangeKind, carryOut, changeKinds, previewChange } from "./changes.ts";
import type { Plan } from "./plans.ts";
import { connectionReference } from "./read-tools.ts";
import { dataReply, errorReply, refusal } from "./reply.ts";
import type { ToolContext } from "./tool-context.ts";

const planInput = z.strictObject({
  change: z
    .enum(changeKinds)
    .describe(
      "connect: start connecting a hostname. write_records, revert_records: write or take back its DNS records with a stored credential. cut_over, revert_cut_over: move a prepared domain here or back. archive: end a connection.",
    ),
  connection: connectionReference
    .optional()
    .describe("The connection, by id or hostname; not for connect"),
  hostname: z.string().min(1).max(255).optional().describe("For connect"),
  application: z.string().optional().describe("For connect: the application, by id or name"),
  customer_ref: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("For connect: your id of the customer"),
  credential_id: z
    .uuid()
    .optional()
    .describe("A stored credential; by default the one that sees the zone"),
  replace: z
    .array(z.string().max(100))
    .max(50)
    .optional()
    .describe("Ids of conflicts that a person allowed to be replaced"),
  accept: z
    .array(z.literal("origin"))
    .optional()
    .describe("For cut_over: warnings that a person accepted"),
});
type PlanInput = z.infer<typeof planInput>;

/** Planning changes nothing. Applying needs the id of a plan and a person. */
export function addWriteTools(server: McpServer, context: ToolContext): void {
  server.registerTool(
    "plan_change",
    {
      title: "Plan a change",
      description:
        "What a change would do, line by line, with a plan_id that is valid for 15 minutes. Changes nothing. Without a plan_id the change is not possible, and obstacle says why.",
      inputSchema: planInput,
      outputSchema: plannedChange,
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
    },
    async (input) => {
      try {
        return dataReply(await planned(context, input));
      } catch (error) {
        return errorReply(error);
      }
    },
  );
  server.registerTool(
    "apply_plan",
    {
      title: "Apply a plan",
      description:
        "Carries out a plan that a person confirmed: they are asked here where the client can ask, and otherwise confirm it themselves with the command that the refusal names. Each plan is used once.",
      inputSchema: z.strictObject({ plan_id: z.string().min(1).max(100) }),
      outputSchema: appliedPlan,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    },
    async ({ plan_id }, extra) => {
      try {
        return dataReply(await applied(server, context, plan_id, extra));
      } catch (error) {
        return errorReply(error);
      }
    },
  );
}

async function planned(
  { client, apiKey, plans }: ToolContext,
  input: PlanInput,
): Promise<Answer<typeof plannedChange>> {
  const change = await planChange(client, input);
  const preview = await previewChange(client, change);
  const { title, effects, obstacle, details } = preview;
  const plan = plans.add(apiKey, change, preview);
  return {
    plan_id: plan?.id ?? null,
    expires_at: plan?.expiresAt.toISOString() ?? null,
    title,
    effects,
    obstacle,
    next:
      plan === null
        ? "Nothing can be applied."
        : "Show title and effects to a person. When they want it, call apply_plan: it asks them.",
    details,
  };
}

async function planChange(client: ToolContext["client"], input: PlanInput): Promise<Change> {
  const { change: kind } = input;
  if (kind === "connect") {
    if (input.hostname === undefined) throw usageFailure("connect needs hostname");
    return {
      kind,
      applicationId: await applicationId(client, input.application),
      hostname: input.hostname,
      customerRef: input.customer_ref ?? null,
    };
  }
  if (input.connection === undefined) throw usageFailure(`${kind} needs connection`);
  const id = await connectionId(client, input.connection);
  return kind === "archive" ? { kind, connectionId: id } : zoneChange(kind, id, input);
}

function zoneChange(
  kind: Exclude<ChangeKind, "connect" | "archive">,
  id: string,
  { credential_id, replace, accept }: PlanInput,
): Change {
  const body = {
    ...(credential_id === undefined ? {} : { credential_id }),
    ...(replace === undefined ? {} : { replace }),
    ...(accept === undefined ? {} : { accept }),
  };
  return { kind, connectionId: id, body };
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

async function applied(
  server: McpServer,
  context: ToolContext,
  id: string,
  extra: Extra,
): Promise<Answer<typeof appliedPlan>> {
  const { client, apiKey, plans } = context;
  const plan = await plans.require(client, apiKey, id);
  if (!plan.isConfirmed) {
    await requireConsent(server, context, plan, extra);
    // The person may have taken minutes: what they agreed to must still be what happens.
    await plans.require(client, apiKey, id);
  }
  if (extra.signal.aborted)
    throw refusal("cancelled", "The call was cancelled. Nothing was changed.");
  if (!plans.take(id)) throw refusal("plan_not_found", "The plan was used meanwhile.");
  return { applied: true, title: plan.title, result: await carryOut(client, plan.change) };
}

/**
 * Asks the person at the client. Without that ability the call is refused with what the person can
 * do.
 */
async function requireConsent(
  server: McpServer,
  { confirmUrl }: ToolContext,
  plan: Plan,
  extra: Extra,
): Promise<void> {
  if (server.server.getClientCapabilities()?.elicitation?.form === undefined) {
    throw refusal(
      "not_confirmed",
      "Nothing was changed: a person must confirm this plan first, and this client cannot ask them.",
      `Ask them to run this in a terminal: mooring mcp confirm ${await confirmUrl(plan.id)}`,
      "Without an installation it is npx @mooring/cli mcp confirm, with the same address.",
      "Then call apply_plan again with the same plan_id.",
    );
  }
  const answer = await extra.sendRequest(
    { method: "elicitation/create", params: planQuestion(plan) },
    ElicitResultSchema,
    { timeout: Math.max(1_000, plan.expiresAt.getTime() - Date.now()), signal: extra.signal },
  );
  if (answer.action === "accept" && answer.content?.["confirm"] === true) return;
  throw refusal("declined", "The person did not confirm the plan. Nothing was changed.");
}

function planQuestion({ title, effects }: Plan) {
  const lines = effects.map((effect) => `- ${effect}`);
  return {
    mode: "form" as const,
    message: [`${title}?`, ...lines, "Confirm only what you want to happen."].join("\n"),
    requestedSchema: {
      type: "object" as const,
      properties: {
        confirm: {
          type: "boolean" as const,
          title: "Make this change",
          default: false,
        },
      },
      required: ["confirm"],
    },
  };
}
