import { createVault, type Vault, VaultError } from "@mooring/vault";
import { type Config, ConfigError } from "../../config/config.ts";
import { findRootKeys } from "../../config/root-keys.ts";
import { type DatabaseInfo, readDatabaseInfo } from "../../db/engine/inspect-server.ts";
import {
  insertKeyCheck,
  type KeyCheck,
  selectKeyChecks,
} from "../../db/queries/operator/secrets.ts";
import { lockBootstrap } from "../../db/queries/operator/tenants.ts";
import type { Runtime } from "../runtime.ts";

const knownValue = "mooring";

/**
 * Refuses a SECRET_KEY that is not this database's, before anything is sealed or opened with it.
 * The first process on an empty database stores a check value that later processes must be able to
 * open; a root key that becomes the current one adds its own.
 */
export async function checkRootKeys(
  runtime: Pick<Runtime, "clock" | "transaction" | "vault">,
): Promise<void> {
  const { vault } = runtime;
  await runtime.transaction(async (tx) => {
    if (hasCheck(refuseWrongKeys(vault, await selectKeyChecks(tx)), vault)) return;
    // Two first starts with two keys: the second must see the check value of the first.
    await lockBootstrap(tx);
    if (hasCheck(refuseWrongKeys(vault, await selectKeyChecks(tx)), vault)) return;
    const keyId = vault.currentKeyId;
    const sealed = vault.seal("key_check", checkContext(keyId), knownValue);
    await insertKeyCheck(tx, { keyId, sealed }, runtime.clock.now());
  });
}

function hasCheck(checks: readonly KeyCheck[], vault: Vault): boolean {
  return checks.some((check) => check.keyId === vault.currentKeyId);
}

function refuseWrongKeys(vault: Vault, checks: readonly KeyCheck[]): readonly KeyCheck[] {
  const problem = rootKeyProblem(vault, checks);
  if (problem !== null) throw new ConfigError([`SECRET_KEY: ${problem}`]);
  return checks;
}

/**
 * Why the loaded root keys do not fit the database, as a message for the operator; null when they
 * do.
 */
function rootKeyProblem(vault: Vault, checks: readonly KeyCheck[]): string | null {
  for (const { keyId, sealed } of checks) {
    if (!vault.keyIds.includes(keyId)) {
      return `this database holds values sealed under the root key ${keyId}, and only ${vault.keyIds.join(", ")} is loaded; add ${keyId} to the list (the current key first)`;
    }
    if (!opens(vault, keyId, sealed)) {
      return `the root key called ${keyId} is not the one that this database was sealed with; replace it with the right one`;
    }
  }
  return null;
}

function opens(vault: Vault, keyId: string, sealed: string): boolean {
  try {
    return vault.open("key_check", checkContext(keyId), sealed).toString("utf8") === knownValue;
  } catch (error) {
    if (error instanceof VaultError) return false;
    throw error;
  }
}

function checkContext(keyId: string) {
  return { tenant: null, table: "key_check", row: keyId, column: "sealed" };
}

/** Reads the state of the database for the operator; changes nothing. */
export function inspectDatabase(url: string): Promise<DatabaseInfo> {
  return readDatabaseInfo(url);
}

export type RootKeyFinding =
  | { readonly kind: "absent" }
  | { readonly kind: "wrong"; readonly problem: string }
  | { readonly kind: "right" | "unproven"; readonly keyIds: readonly string[] };

/**
 * Whether root keys exist and are this database's. Creates none, unlike a process that starts;
 * throws `ConfigError` when they cannot be read.
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
