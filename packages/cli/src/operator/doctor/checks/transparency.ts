import { type DatabaseInfo, inspectLogs, type LogHealth } from "@mooring/control";
import { type Config, databaseUrl } from "@mooring/control/settings";
import { type Finding, fail, ok, warn } from "./finding.ts";

const check = "ct_logs";
const behindSeconds = 3_600;

/** The certificate transparency logs that workers read. */
export async function checkTransparency(
  config: Config,
  facts: DatabaseInfo | null,
): Promise<readonly Finding[]> {
  const isCurrent = facts !== null && facts.schema.actual === facts.schema.expected;
  if (!isCurrent || !mayActAsWorker(facts)) return [];
  const logs = await inspectLogs(databaseUrl(config), new Date());
  if (logs.length === 0 && config.ctLogs.length > 0) {
    const fix = "start a worker with the same CT_LOGS; it lists them at its start";
    return [warn(check, "no worker has read the logs of CT_LOGS", fix)];
  }
  return logs.map(judgeLog);
}

const reasons = {
  bad_signature: "a tree head whose signature is not by its key",
  fork: "two tree heads that cannot both be true",
  wrong_entries: "entries that are not those of its signed tree",
} as const satisfies Record<NonNullable<LogHealth["stopReason"]>, string>;

export function judgeLog(log: LogHealth): Finding {
  const { description, stopReason, lastError, id } = log;
  if (stopReason !== null) {
    return fail(
      check,
      `${description} is no longer read: it showed ${reasons[stopReason]}`,
      `compare with what others say of the log; take it out of CT_LOGS, or run \`mooring ct resume ${id.slice(0, 16)}\``,
    );
  }
  if (log.behindSeconds > behindSeconds) {
    const why = lastError === null ? "" : `; last error: ${lastError}`;
    return warn(
      check,
      `${description} is read with a delay of ${Math.round(log.behindSeconds / 60)} minutes${why}`,
      "check that workers run and may reach it; take a log that has closed out of CT_LOGS",
    );
  }
  return ok(check, `${description} is read, ${log.entriesRead} entries so far`);
}

function mayActAsWorker({ roles }: DatabaseInfo): boolean {
  return roles.some(({ name, isGranted }) => name === "mooring_worker" && isGranted);
}
