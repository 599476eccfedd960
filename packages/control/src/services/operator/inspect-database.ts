import { createVault } from "@mooring/vault";
import type { Config } from "../../config/config.ts";
import { findRootKeys } from "../../config/root-keys.ts";
import { type DatabaseInfo, readDatabaseInfo } from "../../db/engine/inspect-server.ts";
import { rootKeyProblem } from "./check-root-keys.ts";

/** A look at the database for the operator; changes nothing. */
export function inspectDatabase(url: string): Promise<DatabaseInfo> {
  return readDatabaseInfo(url);
}

export type RootKeyFinding =
  | { readonly kind: "absent" }
  | { readonly kind: "wrong"; readonly problem: string }
  | { readonly kind: "right" | "unproven"; readonly keyIds: readonly string[] };

/**
 * Whether the root keys are there and are this database's. Makes none, unlike a process that
 * starts; throws `ConfigError` when they cannot be read.
 */
export function inspectRootKeys(
  config: Config,
  facts: Pick<DatabaseInfo, "keyChecks"> | null,
): RootKeyFinding {
  const rootKeys = findRootKeys(config);
  if (rootKeys === null) return { kind: "absent" };
  const vault = createVault(rootKeys, { purposes: ["key_check"] });
  const checks = facts?.keyChecks ?? [];
  const problem = rootKeyProblem(vault, checks);
  if (problem !== null) return { kind: "wrong", problem };
  return { kind: checks.length > 0 ? "right" : "unproven", keyIds: vault.keyIds };
}
