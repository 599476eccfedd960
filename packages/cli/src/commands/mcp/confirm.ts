import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../action.ts";
import { apiAction, examples } from "../api-command.ts";
import { CommandFailure, usageFailure } from "../explain.ts";
import { canAsk, confirm } from "../input.ts";

/** For a person whose MCP client cannot ask: shows an agent's plan, and confirms it on a yes. */
export function addConfirm(mcp: Command, action: RegisterAction): void {
  const command = mcp
    .command("confirm")
    .description("show a plan of an agent and confirm it, after asking you")
    .argument("<address>", "as the agent reports it, http://…/plans/…");
  examples(command, "mooring mcp confirm http://127.0.0.1:40123/plans/PLAN");
  apiAction(action, command, async ({ access, output, args: [address = ""] }) => {
    const url = planUrl(address);
    const { apiKey } = access();
    if (!canAsk()) throw usageFailure("a person confirms a plan: run this in a terminal");
    const plan = await exchange("GET", url, apiKey);
    const effects = plan.effects.map((effect) => `  - ${effect}`);
    output.item([plan.title, ...effects].join("\n"), plan);
    if (!(await confirm("Confirm this plan?"))) {
      throw new CommandFailure("the plan was not confirmed", { code: "declined" });
    }
    const confirmed = await exchange("POST", url, apiKey);
    output.result("The plan is confirmed: the agent can apply it once.", confirmed);
    return exitCode.done;
  });
}

/** The key is sent there: over a network only with TLS. */
function planUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isLocal = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return url.href;
  throw usageFailure(
    "give the address of a plan: https://…, or http:// on this machine",
    "your API key is sent there, so check that it is your MCP server's",
  );
}

interface ShownPlan {
  readonly title: string;
  readonly effects: readonly string[];
}

async function exchange(method: "GET" | "POST", url: string, apiKey: string): Promise<ShownPlan> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${apiKey}` },
    redirect: "error",
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new CommandFailure(`nothing answers at ${url}`, {
      code: "unreachable",
      exitCode: exitCode.unavailable,
      hints: [`the agent's MCP server must still run (${String(error)})`],
    });
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && isShownPlan(body)) return body;
  throw new CommandFailure(readMessage(body) ?? `${url} answered ${response.status}`, {
    code: "refused",
  });
}

function isShownPlan(value: unknown): value is ShownPlan {
  if (typeof value !== "object" || value === null) return false;
  return (
    "title" in value &&
    typeof value.title === "string" &&
    "effects" in value &&
    Array.isArray(value.effects)
  );
}

function readMessage(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("error" in value)) return null;
  const { error } = value;
  if (typeof error !== "object" || error === null || !("message" in error)) return null;
  return typeof error.message === "string" ? error.message : null;
}
