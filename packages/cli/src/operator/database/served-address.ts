import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Config, readConfig } from "@mooring/control/settings";
import { type Environment, processEnvironment } from "../../config.ts";

function addressFile({ dataDir }: Config): string {
  return path.join(dataDir, "base-url");
}

/** Leaves the public address beside the embedded database, for commands in other shells. */
export function writeServedAddress(config: Config): Promise<void> {
  return writeFile(addressFile(config), `${config.baseUrl}\n`);
}

/**
 * The settings of a command with the public address of the service whose embedded database it uses.
 * `BASE_URL` and `PORT` of its own environment come first, and with `DATABASE_URL` the data
 * directory says nothing about the service.
 */
export function withServedAddress(config: Config, env: Environment = processEnvironment()): Config {
  if (env["DATABASE_URL"] || env["BASE_URL"] || env["PORT"]) return config;
  const address = readIfPresent(addressFile(config));
  return address === null ? config : readConfig({ ...env, BASE_URL: address });
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
