import type { ConnectionDetail } from "@mooring/sdk";
import { recordTable } from "../text/table.ts";

/** One list where the records for visitors prove ownership too. */
export function neededText(needed: ConnectionDetail["needed_records"]): readonly string[] {
  const asked = needed.filter(({ optional }) => !optional);
  const proofs = asked.filter(({ purpose }) => purpose === "ownership");
  const others = asked.filter(({ purpose }) => purpose !== "ownership");
  const isQuiet = others.length > 0 && others.every(({ purpose }) => purpose === "validation");
  const heading = isQuiet ? prepareHeading : "To send visitors here, add";
  if (proofs.length === 0) return ["", isQuiet ? prepareHeading : "Add", recordTable(others)];
  const leading = others.length === 0 ? [] : ["", heading, recordTable(others)];
  return ["", "To prove ownership, add", recordTable(proofs), ...leading];
}

/** Of a cut-over that is prepared. */
const prepareHeading =
  "To prepare the move, add; the records that visitors follow stay as they are";
