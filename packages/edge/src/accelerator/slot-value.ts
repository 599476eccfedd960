import type { ApplicationEdge } from "../hosts/application-edge.ts";
import { rulesText } from "./response-fields.ts";

export type SlotSettings = Pick<ApplicationEdge, "hsts" | "headerRules" | "bodyBytes">;

/**
 * What the map of slots has for a name: its slot, and the settings of its application that HAProxy
 * follows. One word, so that a request needs one search.
 */
export function slotValue(slot: string, { hsts, headerRules, bodyBytes }: SlotSettings): string {
  const settings = [hsts ?? "", rulesText(headerRules)].map(toBase64);
  const parts = [slot, ...settings, bodyBytes === null ? "" : "limited"];
  return parts.join("|").replace(/\|+$/, "");
}

/** Its parts, in the configuration of HAProxy. */
export const slotPart = {
  name: "var(txn.slot),field(1,|)",
  hsts: "var(txn.slot),field(2,|),b64dec",
  rules: "var(txn.slot),field(3,|),b64dec",
  bodyLimit: "var(txn.slot),field(4,|)",
} as const;

function toBase64(text: string): string {
  return Buffer.from(text, "latin1").toString("base64");
}
