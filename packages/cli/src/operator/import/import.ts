import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import {
  type Config,
  databaseUrl,
  type ImportResult,
  type ImportRow,
  importConnections,
} from "@mooring/control";
import type { Command } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { sanitized } from "../../commands/api-command.ts";
import { processEnvironment } from "../../config.ts";
import type { Output } from "../../output.ts";
import { withOperator } from "../database/database.ts";
import { attempt, CommandError, requireSchema } from "../failure.ts";
import { ignoredColumns, readCsv } from "./csv.ts";
import { countActions, importText } from "./import-text.ts";
import { readPemDirectory } from "./pem-directory.ts";
import { createProgress, progressText } from "./progress.ts";
import { trustedRoots } from "./trusted-roots.ts";
import { readCloudflare, readVercel, type VendorAccess } from "./vendor-lists.ts";

type Options = Readonly<Record<string, unknown>>;
/** What is imported, and what is to be said of the source as a whole. */
interface Source {
  readonly rows: readonly ImportRow[];
  readonly notes: readonly string[];
}
type ReadRows = (argument: string, options: Options) => Promise<readonly ImportRow[]>;
type ReadSource = (argument: string, options: Options) => Promise<Source>;

/** `mooring import`: connections, and certificates with their keys, from where they are now. */
export function addImport(program: Command, action: RegisterAction): void {
  const command = program
    .command("import")
    .description(
      "connect the names of a file, another vendor or another server; a dry run by default",
    )
    .addHelpText("after", help);
  const csv = command
    .command("csv")
    .argument("<file>", "whose header names hostname and customer_ref; other columns are ignored")
    .description("the names of a CSV file");
  register(action, csv, readCsvFile);
  const cloudflare = command
    .command("cloudflare")
    .requiredOption("--zone <id>", "the zone whose custom hostnames are read")
    .option("--api-url <url>", "of the vendor's API", "https://api.cloudflare.com/client/v4")
    .description("the custom hostnames of a Cloudflare zone; needs CLOUDFLARE_API_TOKEN");
  register(
    action,
    cloudflare,
    asSource((_, options) =>
      readCloudflare(readAccess(options, "CLOUDFLARE_API_TOKEN"), String(options["zone"])),
    ),
  );
  const vercel = command
    .command("vercel")
    .requiredOption("--project <id>", "the project whose domains are read")
    .option("--team <id>", "the team that the project belongs to")
    .option("--api-url <url>", "of the vendor's API", "https://api.vercel.com")
    .description("the domains of a Vercel project; needs VERCEL_TOKEN");
  const readProject: ReadRows = (_, options) => {
    const team = typeof options["team"] === "string" ? options["team"] : null;
    return readVercel(readAccess(options, "VERCEL_TOKEN"), String(options["project"]), team);
  };
  register(action, vercel, asSource(readProject));
  const caddy = command
    .command("caddy")
    .argument("<directory>", "Caddy's storage, such as /var/lib/caddy/.local/share/caddy")
    .description("the names of Caddy's certificates, with certificates and keys");
  register(action, caddy, asSource(readCaddy));
  const directory = command
    .command("acme-dir")
    .argument("<directory>", "of certbot, lego, acme.sh, or with PEM files of your own")
    .description("the names of the certificates below a directory, with certificates and keys");
  register(action, directory, asSource(readDirectory));
}

function asSource(read: ReadRows): ReadSource {
  return async (argument, options) => ({ rows: await read(argument, options), notes: [] });
}

function register(action: RegisterAction, command: Command, read: ReadSource): void {
  command
    .requiredOption("--application <id>", "the application that the connections belong to")
    .option("--apply", "write it; without this nothing is changed")
    .option(
      "--trust-dns",
      "take DNS that leads here as proof of ownership; noted in the audit log",
    );
  action(command, (raw, [argument = ""], options) => {
    // Names and customers are other people's text.
    const output = sanitized(raw);
    return attempt(output, async (config) => {
      const { rows, notes } = await read(argument, options);
      const results = await importAll(output, config, rows, options);
      const isApplied = options["apply"] === true;
      const counts = countActions(results);
      const value = { applied: isApplied, counts, notes, rows: results.map(shown) };
      output.result([...notes, importText(results, isApplied)].join("\n"), value);
      return counts.refuse > 0 ? exitCode.failed : exitCode.done;
    });
  });
}

async function importAll(
  output: Output,
  config: Config,
  rows: readonly ImportRow[],
  options: Options,
): Promise<readonly ImportResult[]> {
  const hasCertificates = rows.some(({ certificate }) => certificate !== null);
  if (hasCertificates && config.edgeKind === "external") {
    throw new CommandError(
      "another edge serves the certificates of this installation (EDGE_KIND): import the names with `mooring import csv`",
      exitCode.configuration,
    );
  }
  await requireSchema(databaseUrl(config));
  const roots = hasCertificates ? trustedRoots(config.acmeCaFile) : [];
  const onProgress = createProgress(rows.length, Date.now, (progress) =>
    output.progress(progressText(progress), progress),
  );
  onProgress(0);
  const importing = {
    applicationId: String(options["application"]),
    roots,
    trustsDns: options["trustDns"] === true,
    applies: options["apply"] === true,
    onProgress,
  };
  // As the API does it: the same rights, the same rules, and the keys that seal.
  return withOperator(
    config,
    (runtime) => importConnections(runtime, rows, importing),
    "mooring_api",
  );
}

function shown(result: ImportResult): object {
  const { location, hostname, customerRef, action, reason, redirectTo } = result;
  const { next, connectionId, challenge } = result;
  return {
    place: location,
    hostname,
    customer_ref: customerRef,
    action,
    reason,
    redirect_to: redirectTo,
    next,
    certificate_not_after: result.certificateEnds?.toISOString() ?? null,
    connection_id: connectionId,
    ownership_challenge: challenge,
  };
}

async function readCsvFile(file: string): Promise<Source> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}`);
  });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const rows = readCsv(text);
    const ignored = ignoredColumns(text);
    const note = `These columns are ignored: ${ignored.map((name) => `"${name}"`).join(", ")}.`;
    return { rows, notes: ignored.length > 0 ? [note] : [] };
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${file} is not UTF-8 text`);
    throw error;
  }
}

/** The storage itself, or a directory that has it below `certificates`. */
async function readCaddy(directory: string): Promise<readonly ImportRow[]> {
  const below = path.join(directory, "certificates");
  const found = await stat(below).catch(() => null);
  return readDirectory(found?.isDirectory() ? below : directory);
}

async function readDirectory(directory: string): Promise<readonly ImportRow[]> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) throw new CommandError(`${directory} is not a directory`);
  return readPemDirectory(directory);
}

function readAccess(options: Options, variable: string): VendorAccess {
  const token = processEnvironment()[variable];
  if (!token) throw new CommandError(`set ${variable} to a token that may read the names`);
  return { baseUrl: String(options["apiUrl"]).replace(/\/$/, ""), token };
}

const help = `
Each row is made by itself, so an import that was interrupted is continued by running it again: what is there
already stays. Ends with 1 when a row was refused. The ownership of each name is still to be proven, by the
TXT record that --json shows, or by --trust-dns where DNS leads here.

Examples:
  mooring import csv domains.csv --application 0192…
  mooring import caddy /var/lib/caddy/.local/share/caddy --application 0192… --trust-dns --apply`;
