import type { Rule } from "./finding.ts";

/** A proven name for which the tenant's plan leaves no room. */
export const quotaExceeded: Rule = ({ connection: { errorCode, hostname } }) => {
  if (errorCode !== "quota_exceeded") return [];
  return [
    {
      severity: "error",
      title: `${hostname} is proven, but the plan allows no more names`,
      evidence: ["The service: as many names are in use as the plan allows"],
      actor: "tenant",
      fix: "Choose a larger plan, or archive a name that is no longer used. The one that waits longest continues by itself then.",
    },
  ];
};
