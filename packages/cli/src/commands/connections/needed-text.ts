import type { ConnectionDetail } from "@mooring/sdk";
import { recordTable } from "../text/table.ts";

/** One list where the records for visitors prove ownership too. */
export function neededText(needed: ConnectionDetail["needed_records"]): readonly string[] {
  const asked = needed.filter(({ optional }) => !optional);
  const proofs = asked.filter(({ purpose }) => purpose === "ownership");
  const others = asked.filter(({ purpose }) => purpose !== "ownership");
  if (proofs.length === 0) return ["", "Add", recordTable(others)];
  const leading =
    others.length === 0 ? [] : ["", "To send visitors here, add", recordTable(others)];
  return ["", "To prove ownership, add", recordTable(proofs), ...leading];
}
