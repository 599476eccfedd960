import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  generateRootKey,
  type KeyRing,
  parseKeyRing,
  parseRootKeys,
  type RootKeys,
  VaultError,
} from "@mooring/vault";
import { type Config, ConfigError } from "./config.ts";

/**
 * SECRET_KEY, or one generated into DATA_DIR (mode 600) that every process of this machine shares.
 * In production `readConfig` requires the variable.
 */
export function loadRootKeys(config: Config): RootKeys {
  if (config.isProduction && config.secretKey === null) {
    throw new ConfigError(["SECRET_KEY: required when NODE_ENV=production"]);
  }
  return parse(config.secretKey ?? generatedKey(keyFile(config)));
}

/** SECRET_KEY_EDGE, with the keys of the edge's purposes only, or else the root keys. */
export function loadEdgeKeys(config: Config): RootKeys | KeyRing {
  if (config.secretKeyEdge === null) return loadRootKeys(config);
  try {
    return parseKeyRing(config.secretKeyEdge);
  } catch (error) {
    if (error instanceof VaultError) throw new ConfigError([`SECRET_KEY_EDGE: ${error.message}`]);
    throw error;
  }
}

/** Like `loadRootKeys`, but null instead of generating a key. */
export function findRootKeys(config: Config): RootKeys | null {
  const text = config.secretKey ?? readIfExists(keyFile(config));
  return text === null ? null : parse(text);
}

function parse(text: string): RootKeys {
  try {
    return parseRootKeys(text);
  } catch (error) {
    if (error instanceof VaultError) throw new ConfigError([`SECRET_KEY: ${error.message}`]);
    throw error;
  }
}

function keyFile(config: Config): string {
  return path.join(config.dataDir, "secret-key");
}

function generatedKey(file: string): string {
  const existing = readIfExists(file);
  if (existing !== null) return existing;
  try {
    writeNewKey(file);
  } catch (error) {
    if (!hasCode(error, "EACCES", "EPERM", "EROFS")) throw error;
    throw new ConfigError([
      `DATA_DIR: ${path.dirname(file)} cannot be written, and a new root key is stored there: give the directory to the user who starts Mooring, or set SECRET_KEY`,
    ]);
  }
  return readFileSync(file, "utf8").trim();
}

function writeNewKey(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Linking a finished file is atomic: when several processes start at once, one whole key wins.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${generateRootKey()}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
