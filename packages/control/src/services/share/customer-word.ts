import type { CustomerDomain } from "../../db/queries/connections/status-links.ts";

/** How a domain is, in one word for its customer. */
export type CustomerWord = "live" | "ready" | "progress" | "attention";

/** Proven, and not served yet: what the widget and the console call ready to switch. */
const proven: readonly CustomerDomain["state"][] = [
  "verified",
  "dns_writing",
  "propagating",
  "stalled",
];

export function customerWord({
  state,
  cutover,
  finding,
}: Pick<CustomerDomain, "state" | "cutover" | "finding">): CustomerWord {
  const isReady = cutover?.status === "ready" || cutover?.status === "reverted";
  if (isReady && proven.includes(state)) return "ready";
  const isTheirs = finding?.actor === "end_customer";
  if (isTheirs || state === "failed" || state === "drifted") return "attention";
  return state === "live" ? "live" : "progress";
}
