import { type ConnectionDetail, connectionStates, type DnsRecord } from "@mooring/sdk";

/** The progress of a connection: four steps, at most one of them active. */
export interface Step {
  readonly name: "ownership" | "records" | "certificate" | "live";
  readonly status: "done" | "active" | "waiting" | "trouble" | "failed";
  readonly text: string;
  readonly records: readonly StepRecord[];
}

export interface StepRecord {
  readonly record: string;
  readonly isSeen: boolean;
}

type State = ConnectionDetail["state"];

/** The index of the step that a state is in; 4 when all are done. */
const reached: Readonly<Record<State, number>> = {
  created: 0,
  pending_ownership: 0,
  verifying: 0,
  verified: 1,
  dns_writing: 1,
  propagating: 1,
  stalled: 1,
  issuing_cert: 2,
  live: 4,
  drifted: 1,
  failed: 0,
  archived: 0,
};

const failedAt: Readonly<Record<string, number>> = {
  ownership_timeout: 0,
  propagation_timeout: 1,
  certificate_timeout: 2,
};

const names = ["ownership", "records", "certificate", "live"] as const;

export function listSteps(connection: ConnectionDetail): readonly Step[] {
  const at = stepIndex(connection);
  return names.map((name, index) => ({
    name,
    status: stepStatus(connection, index, at),
    text: stepText(connection, name, index < at),
    records: stepRecords(connection, name),
  }));
}

function stepIndex({ state, error_code }: ConnectionDetail): number {
  return state === "failed" ? (failedAt[error_code ?? ""] ?? 0) : reached[state];
}

function stepStatus(
  { state, error_code }: ConnectionDetail,
  index: number,
  at: number,
): Step["status"] {
  if (state === "archived") return "waiting";
  if (index !== at) return index < at ? "done" : "waiting";
  if (state === "failed") return "failed";
  const isQuiet =
    error_code === null || error_code === "txt_not_found" || error_code === "record_missing";
  return isQuiet && state !== "stalled" && state !== "drifted" ? "active" : "trouble";
}

function stepText(connection: ConnectionDetail, name: Step["name"], isDone: boolean): string {
  const { state } = connection;
  switch (name) {
    case "ownership":
      if (connection.contest !== null) return contestText(isDone, connection.contest.deadline);
      if (isDone) return "ownership is proven";
      return state === "verifying"
        ? "some of the zone's servers have the proof, waiting for all"
        : "waiting for the proof of ownership in DNS";
    case "records":
      return isDone ? "the records are right" : recordsText(state);
    case "certificate":
      return isDone ? certificateText(connection) : "a certificate is obtained";
    case "live":
      return isDone ? `https://${connection.hostname} is served` : "served over HTTPS";
  }
}

function contestText(isHolder: boolean, deadline: string): string {
  return isHolder
    ? `somebody else has proven the name; prove it again before ${deadline}`
    : `proven, but another connection holds the name; it is decided at ${deadline}`;
}

function recordsText(state: State): string {
  const texts: Readonly<Partial<Record<State, string>>> = {
    dns_writing: "the records are written at the DNS provider",
    stalled: "the records have not appeared for a long time",
    drifted: "the records have changed and no longer point here",
  };
  return texts[state] ?? "waiting for the records to appear";
}

function certificateText({ certificate: { ca, not_after } }: ConnectionDetail): string {
  const until = not_after === null ? "" : `, valid until ${not_after.slice(0, 10)}`;
  return `certificate${ca === null ? "" : ` by ${ca}`}${until}`;
}

function stepRecords(connection: ConnectionDetail, name: Step["name"]): readonly StepRecord[] {
  if (name === "ownership") {
    const { name: host, value } = connection.ownership_challenge;
    if (!isProvenByText(connection)) return [];
    return [{ record: `${host} TXT ${value}`, isSeen: stepIndex(connection) > 0 }];
  }
  if (name !== "records") return [];
  return connection.desired_records.map((record) => ({
    record: `${record.host} ${record.type} ${record.priority === null ? "" : `${record.priority} `}${record.value}`,
    isSeen: isSeen(connection, record),
  }));
}

/** Whether the TXT record is, or was, what proves ownership. */
export function isProvenByText({ ownership, needed_records, state }: ConnectionDetail): boolean {
  if (ownership !== null) return ownership.method === "txt";
  const isAsked = needed_records.some(
    ({ purpose, optional }) => purpose === "ownership" && !optional,
  );
  return isAsked || reached[state] > 0;
}

/** Whether the last observation has the record with the wanted value. */
export function isSeen(connection: ConnectionDetail, expected: DnsRecord): boolean {
  return connection.observed_records.some(
    ({ host, type, value, propagated }) =>
      propagated && host === expected.host && type === expected.type && value === expected.value,
  );
}

/**
 * The order of states up to live; a state is reached when the connection is in it or a later one.
 */
const statesToLive: readonly State[] = connectionStates.slice(
  0,
  connectionStates.indexOf("live") + 1,
);

/** The states that `--until` takes. */
export const waitable: readonly State[] = ["verified", "propagating", "issuing_cert", "live"];

export function hasReached(state: State, target: State): boolean {
  if (state === "drifted") return target !== "live";
  const [here, there] = [statesToLive.indexOf(state), statesToLive.indexOf(target)];
  return here >= 0 && here >= there;
}

/** Whether the connection stays in this state until someone acts. */
export function hasEnded(state: State): boolean {
  return state === "failed" || state === "archived";
}
