import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { generateRootKey, parseRootKeys, type RootKeys, VaultError } from "@mooring/vault";
import { type Config, ConfigError } from "./config.ts";

/**
 * SECRET_KEY, or one generated into DATA_DIR (mode 600) that every process of this machine shares.
 * In production the variable is required, which the configuration has checked already.
 */
export function loadRootKeys(config: Config): RootKeys {
  return parse(config.secretKey ?? generatedKey(keyFile(config)));
}

/** The same without making one: null when there is none yet. */
export function findRootKeys(config: Config): RootKeys | null {
  const text = config.secretKey ?? readIfThere(keyFile(config));
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
  const existing = readIfThere(file);
  if (existing !== null) return existing;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Linking a finished file is atomic: of processes that start at once, one key wins and is whole.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${generateRootKey()}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, "utf8").trim();
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
