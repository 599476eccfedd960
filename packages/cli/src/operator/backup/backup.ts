import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import {
  type BackupContents,
  BackupFileError,
  backupDatabase,
  backupVault,
  type Config,
  ConfigError,
  databaseUrl,
  findRootKeys,
  NotEmptyError,
  restoreDatabase,
  schemaVersions,
  verifyBackup,
} from "@mooring/control";
import type { Command } from "commander";
import manifest from "../../../package.json" with { type: "json" };
import { exitCode, type RegisterAction } from "../../action.ts";
import type { Output } from "../../output.ts";
import { listenForEnd } from "../../process-control.ts";
import { bringUpToDate, provideLogins } from "../database/database.ts";
import { attempt, CommandError } from "../failure.ts";
import { hasCode, refuseExisting, writeNewFile } from "./new-file.ts";
import { createProgress, formatBytes, formatCount } from "./progress.ts";
import { withServer } from "./with-server.ts";

export function addBackup(program: Command, action: RegisterAction): void {
  const command = program
    .command("backup")
    .argument("<file>", "a new file; one that exists is never overwritten")
    .description("write the database into a file, sealed under SECRET_KEY, while it is in use")
    .addHelpText("after", backupHelp);
  action(command, (output, [file = ""]) =>
    interruptible(output, async (config, signal) => {
      await refuseExisting(file);
      const vault = backupVault(requireRootKeys(config));
      const report = await withServer(config, output, { isInUse: true }, async () => {
        const url = databaseUrl(config);
        await requireMigrated(url);
        const options = { url, vault, release: manifest.version, now: new Date(), signal };
        return writeTo(file, options, output);
      });
      output.result(backupText(file, report), { file, ...report });
      return exitCode.done;
    }),
  );
}

export function addRestore(program: Command, action: RegisterAction): void {
  const command = program
    .command("restore")
    .argument("<file>", "a file that `mooring backup` has written")
    .option("--check", "only read the whole file and compare its checksums; no database is needed")
    .description("write a backup into an empty database, and bring its schema up to date")
    .addHelpText("after", restoreHelp);
  action(command, (output, [file = ""], options) =>
    interruptible(output, async (config, signal) => {
      const vault = backupVault(requireRootKeys(config));
      await access(file, constants.R_OK).catch((error: Error) => {
        throw new CommandError(`the file cannot be read: ${error.message}`);
      });
      const contents = await verifyBackup(vault, createReadStream(file, { signal }));
      if (options["check"] === true) {
        output.result(`${file} is whole: ${contentsText(contents)}`, { file, ...contents });
        return exitCode.done;
      }
      await withServer(config, output, { isInUse: false }, async () => {
        const url = databaseUrl(config);
        const { progress, done } = createProgress(output);
        await restoreDatabase({
          url,
          vault,
          source: createReadStream(file, { signal }),
          signal,
          onProgress: ({ table, tables, bytes }) =>
            progress({
              text:
                table === null
                  ? "making indexes and checking keys"
                  : `${tables} of ${contents.tables} tables, ${formatBytes(bytes)} of ${formatBytes(contents.row_bytes)} written, at ${table}`,
              value: { table, tables, bytes, bytes_total: contents.row_bytes },
            }),
        }).finally(done);
        const { applied, version } = await bringUpToDate(url);
        await provideLogins(config, output);
        const text = restoredText(file, contents, { applied, version });
        output.result(text, { file, ...contents, applied, version });
      });
      return exitCode.done;
    }),
  );
}

interface WriteOptions extends Omit<Parameters<typeof backupDatabase>[0], "onProgress"> {}

interface BackupReport extends BackupContents {
  readonly bytes: number;
  readonly sha256: string;
  readonly left_out: readonly string[];
}

function writeTo(file: string, options: WriteOptions, output: Output): Promise<BackupReport> {
  const { vault, signal } = options;
  const { progress, done } = createProgress(output);
  return backupDatabase(
    {
      ...options,
      onProgress: ({ table, tables, tablesTotal, bytes }) =>
        progress({
          text: `${tables} of ${tablesTotal} tables, ${formatBytes(bytes)} read, at ${table}`,
          value: { table, tables, tables_total: tablesTotal, bytes },
        }),
    },
    async ({ bytes, others }) => {
      const check = async (draft: string) => {
        progress({ text: "reading it back", value: { state: "verifying" } });
        const hash = createHash("sha256");
        let size = 0;
        const source = createReadStream(draft, { signal });
        source.on("data", (chunk) => {
          hash.update(chunk);
          size += chunk.length;
        });
        const contents = await verifyBackup(vault, source);
        return { ...contents, bytes: size, sha256: hash.digest("hex"), left_out: others };
      };
      return writeNewFile(file, bytes, { check, signal });
    },
  ).finally(done);
}

/** Ctrl-C ends the work in order: nothing half-written is left, in no file and no database. */
function interruptible(
  output: Output,
  work: (config: Config, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  return attempt(output, async (config) => {
    const end = listenForEnd();
    try {
      return await work(config, end.signal);
    } catch (error) {
      if (end.signal.aborted && isAbort(error)) {
        throw new CommandError("interrupted: nothing was written", exitCode.failed, "interrupted");
      }
      throw explained(error);
    } finally {
      end.release();
    }
  });
}

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === "AbortError" || hasCode(error, "ABORT_ERR"));

function explained(error: unknown): unknown {
  if (error instanceof BackupFileError) {
    return new CommandError(`${error.message}; nothing was written`, exitCode.failed, "file");
  }
  if (error instanceof NotEmptyError) {
    return new CommandError(
      `${error.message}: restore into a new one (\`create database …\`); nothing was written`,
      exitCode.failed,
      "not_empty",
    );
  }
  // SQLSTATE insufficient_privilege
  if (hasCode(error, "42501")) {
    return new CommandError(
      `DATABASE_URL: ${error instanceof Error ? error.message : ""}: use the login that owns the database and may create roles; nothing was written`,
      exitCode.configuration,
      "permission",
    );
  }
  return error;
}

function requireRootKeys(config: Config) {
  const rootKeys = findRootKeys(config);
  if (rootKeys !== null) return rootKeys;
  throw new ConfigError(["SECRET_KEY: not set, and none was generated in DATA_DIR"]);
}

async function requireMigrated(url: string): Promise<void> {
  const { expected, actual } = await schemaVersions(url);
  if (actual > 0 && actual <= expected) return;
  throw new CommandError(
    actual === 0
      ? "the database has no schema: there is nothing to back up"
      : `the database has schema version ${actual}, and this release knows ${expected}: use the release that serves it`,
    exitCode.configuration,
  );
}

function contentsText({ tables, rows, schema, created_at, release }: BackupContents): string {
  return `${formatCount(rows)} rows of ${tables} tables at schema version ${schema}, of ${created_at} by release ${release}`;
}

function backupText(file: string, report: BackupReport): string {
  const { bytes, sha256, left_out: leftOut } = report;
  const lines = [
    `wrote and read back ${file}: ${contentsText(report)}`,
    `${formatBytes(bytes)}, SHA-256 ${sha256}`,
  ];
  if (leftOut.length > 0) lines.push(`not of this schema and left out: ${leftOut.join(", ")}`);
  return lines.join("\n");
}

function restoredText(
  file: string,
  contents: BackupContents,
  { applied, version }: { readonly applied: readonly string[]; readonly version: number },
): string {
  const lines = [`restored ${file}: ${contentsText(contents)}`];
  if (applied.length > 0) lines.push(`then applied ${applied.join(", ")}`);
  return [...lines, `the schema is at version ${version}`].join("\n");
}

const backupHelp = `
One snapshot of the whole database, compressed and encrypted for SECRET_KEY, then read back from the disk. Secrets
stay sealed in it as they are in the database. SECRET_KEY itself is not in the file: store it elsewhere. Needs the
login that owns the database and no program of PostgreSQL.`;

const restoreHelp = `
The file is read once as a whole before anything is written, and everything is written in one transaction: a file
that was cut off or changed, a database that is not empty, Ctrl-C and any failure leave the database as it was. A
backup of an older release is restored as it was, and then migrated. Stop all processes before, start them after.`;
