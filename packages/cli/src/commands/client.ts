import { Mooring } from "@mooring/sdk";
import type { Command } from "commander";
import { processEnvironment } from "../config.ts";

/** What is needed to speak to the API is not given, or cannot be right. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly hints: readonly string[];
  constructor(message: string, hints: readonly string[] = []) {
    super(message);
    this.hints = hints;
  }
}

/** Where the API is and who calls it. */
export interface Access {
  readonly url: string;
  readonly apiKey: string;
}

/** The options of every command that speaks to the API; they may stand anywhere on the line. */
export function addApiOptions(program: Command): void {
  program
    .option("--url <url>", "where the API is (default: MOORING_URL, else this machine's)")
    .option("--api-key <key>", "instead of MOORING_API_KEY, which no other user can see");
}

export function readAccess(options: Readonly<Record<string, unknown>>): Access {
  const env = processEnvironment();
  const url = given(options["url"]) ?? given(env["MOORING_URL"]) ?? localUrl(env);
  const apiKey = given(options["apiKey"]) ?? given(env["MOORING_API_KEY"]);
  if (apiKey === null) {
    throw new ClientError("no API key: set MOORING_API_KEY, or give --api-key", [
      "the first start has printed two; on the server, `mooring keys create` makes another",
    ]);
  }
  return { url, apiKey };
}

/** The address at which `npm start` serves with this environment. */
function localUrl(env: Readonly<Record<string, string | undefined>>): string {
  return given(env["BASE_URL"]) ?? `http://localhost:${given(env["PORT"]) ?? "8080"}`;
}

export function openClient({ url, apiKey }: Access, retries: number): Mooring {
  try {
    return new Mooring({ baseUrl: url, apiKey, retries });
  } catch (error) {
    // The client names its parameters; a person at a command line knows options.
    if (!(error instanceof TypeError)) throw error;
    const isUrl = error.message.startsWith("baseUrl");
    throw new ClientError(
      isUrl
        ? `${url} is not the address of an API: give http:// or https:// and a host`
        : "the API key has characters that no key has: copy it again",
    );
  }
}

export function given(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
