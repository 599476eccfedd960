import type { Config } from "@mooring/control";
import { type Finding, ok, warn } from "./finding.ts";

const check = "private_targets";

type GuardConfig = Pick<Config, "webhookAllowPrivate" | "originAllowPrivate">;

/** Whether tenants can make this installation call into its own network. */
export function checkPrivateTargets(config: GuardConfig, isProduction: boolean): Finding {
  const open = [
    ...(config.webhookAllowPrivate ? ["WEBHOOK_ALLOW_PRIVATE"] : []),
    ...(config.originAllowPrivate ? ["ORIGIN_ALLOW_PRIVATE"] : []),
  ];
  if (open.length === 0) return ok(check, "webhooks and origins reach public addresses only");
  const names = open.join(" and ");
  if (!isProduction) return ok(check, `${names}, which suits a machine of one's own`);
  return warn(
    check,
    `with ${names} tenants can reach what this network hides, cloud metadata included`,
    `take ${names} out of the environment unless every tenant is your own`,
  );
}
