import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Config, ConfigError } from "./config.ts";
import { builtInPlans, type Plan } from "./domain/plan.ts";

const limit = z.int().min(0).nullable();
const Plans = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9_-]{1,64}$/),
      name: z.string().min(1).max(100),
      limits: z.strictObject({
        connect: limit,
        active_domain: limit,
        cert: limit,
        api_call: limit,
      }),
      price_cents: z.int().min(0),
    }),
  )
  .min(1);

/** The plans on offer: PLANS_FILE, or those built in. DEFAULT_PLAN must be one of them. */
export function loadPlans(config: Config): readonly Plan[] {
  const plans = config.PLANS_FILE ? readPlans(config.PLANS_FILE) : builtInPlans;
  const ids = plans.map((plan) => plan.id);
  if (new Set(ids).size < ids.length) throw new ConfigError(["PLANS_FILE: a plan id occurs twice"]);
  if (!ids.includes(config.DEFAULT_PLAN)) {
    throw new ConfigError([`DEFAULT_PLAN: ${config.DEFAULT_PLAN} is not one of ${ids.join(", ")}`]);
  }
  return plans;
}

function readPlans(file: string): readonly Plan[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new ConfigError([`PLANS_FILE: ${file} cannot be read`]);
  }
  try {
    return Plans.parse(JSON.parse(text));
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ")
        : "is not JSON";
    throw new ConfigError([`PLANS_FILE: ${file}: ${why}`]);
  }
}
