import { Mooring } from "@mooring/sdk";
import type { Command } from "commander";
import { processEnvironment } from "../config.ts";

/** What is needed to speak to the API is not given, or cannot be right. */
export class ClientError extends Error {
  override readonly name = "ClientError";
}

/** The options of every command that speaks to the API. */
export function withApiOptions(command: Command): Command {
  return command
    .option("--base-url <url>", "where the API is (default: MOORING_URL)")
    .option("--api-key <key>", "instead of MOORING_API_KEY, which no other user can see");
}

export function openClient(options: Readonly<Record<string, unknown>>): Mooring {
  const env = processEnvironment();
  const baseUrl = given(options["baseUrl"]) ?? given(env["MOORING_URL"]);
  const apiKey = given(options["apiKey"]) ?? given(env["MOORING_API_KEY"]);
  if (baseUrl === null) throw new ClientError("give --base-url or set MOORING_URL");
  if (apiKey === null) throw new ClientError("give --api-key or set MOORING_API_KEY");
  try {
    return new Mooring({ baseUrl, apiKey, retries: 0 });
  } catch (error) {
    if (error instanceof TypeError) throw new ClientError(error.message);
    throw error;
  }
}

export function given(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
