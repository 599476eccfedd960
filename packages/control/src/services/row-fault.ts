import { EgressError } from "@mooring/egress";
import { AppError } from "../domain/errors.ts";

/**
 * Classes of SQLSTATE that say that the values of a row are refused: data exception, integrity
 * constraint, program limit. Others are about the server, the session or the schema.
 */
const ofValues = /^(22|23|54)[0-9A-Z]{3}$/;
const sqlStates = /^[0-9A-Z]{5}$/;
/** ECONNRESET, EMFILE and their kind. */
const systemErrors = /^E[A-Z]+$/;

/**
 * Whether work on a row failed because of the row: its values, or what follows from them. The next
 * run would fail too. Not when the database, the network, the process's limits or a stop are the
 * cause.
 */
export function isRowFault(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error.name === "AbortError" || error.name === "TimeoutError") return false;
  if (error instanceof EgressError) return false;
  if (error instanceof AppError && error.code === "unavailable") return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code === null || error instanceof AppError) return true;
  if (systemErrors.test(code)) return false;
  return !sqlStates.test(code) || ofValues.test(code);
}
