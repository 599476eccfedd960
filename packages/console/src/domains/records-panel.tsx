import type { ConnectionDetail, DnsRecord, RecordAnswers } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { diagnosisQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Copy } from "../ui/copy.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Badge, Note } from "../ui/status.tsx";
import { DnsWriteButton } from "./dns-write.tsx";

/** The desired records, and what each name server of the domain has instead. */
export function RecordsPanel({ connection }: { readonly connection: ConnectionDetail }) {
  const workspace = useWorkspace();
  const { data } = useQuery(diagnosisQuery(workspace, connection.id));
  const shown = shownRecords(connection);
  const canWrite = workspace.may("developer") && connection.state !== "archived";
  return (
    <section className="panel" aria-label="Records">
      <header>
        <h2>Records</h2>
        <p>Wanted, and seen at each name server</p>
        {canWrite ? (
          <span className="row">
            <DnsWriteButton connection={connection} kind="apply" />
            <DnsWriteButton connection={connection} kind="revert" />
          </span>
        ) : null}
      </header>
      <div>
        {shown.map((record) => (
          <WantedRecord
            key={`${record.host} ${record.type} ${record.value}`}
            record={record}
            answers={answersFor(record, data?.records)}
            isEarly={data?.early === true}
          />
        ))}
      </div>
      {connection.observed_truncated ? (
        <div className="body">
          <Note>
            DNS has more values than are shown here: {connection.observed_omitted} are left out.
          </Note>
        </div>
      ) : null}
      <PendingRecords records={connection.pending_records} />
    </section>
  );
}

type NeededRecord = ConnectionDetail["needed_records"][number];

/** Pending records are shown below those that they replace, and work meanwhile. */
function shownRecords(connection: ConnectionDetail): readonly NeededRecord[] {
  const { needed_records: needed, desired_records: desired, pending_records } = connection;
  const proofs = needed.filter(({ purpose }) => purpose === "ownership");
  if (pending_records === null) return needed;
  const traffic = desired.map(
    (record): NeededRecord => ({ ...record, purpose: "traffic", optional: false }),
  );
  return [...proofs, ...traffic];
}

const proofTexts = [
  "proof of ownership",
  "proof before the switch, if the customer likes",
] as const;

function answersFor(record: DnsRecord, all: readonly RecordAnswers[] | undefined) {
  return all?.find(
    ({ host, type, value }) =>
      host === record.host && type === record.type && value === record.value,
  );
}

interface WantedProps {
  readonly record: NeededRecord;
  readonly answers: RecordAnswers | undefined;
  /** Nobody could act yet. */
  readonly isEarly: boolean;
}

function WantedRecord({ record, answers, isEarly }: WantedProps) {
  return (
    <article className="wanted">
      <header>
        <h3>
          {record.type}{" "}
          {record.purpose === "ownership" ? (
            <span className="muted">{proofTexts[record.optional ? 1 : 0]}</span>
          ) : null}
        </h3>
        {answers === undefined ? null : <Verdict answers={answers} isEarly={isEarly} />}
      </header>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          <Copy text={record.host} label={`the name of the ${record.type} record`} />
        </dd>
        <dt>Value</dt>
        <dd>
          <Copy
            text={record.priority === null ? record.value : `${record.priority} ${record.value}`}
            label={`the value of the ${record.type} record`}
          />
        </dd>
      </dl>
      {answers === undefined || answers.servers.length === 0 ? null : <Matrix answers={answers} />}
    </article>
  );
}

function Verdict({
  answers,
  isEarly,
}: {
  readonly answers: RecordAnswers;
  readonly isEarly: boolean;
}) {
  const right = answers.servers.filter(({ outcome }) => outcome === "match").length;
  const all = answers.servers.length;
  if (all === 0) return <Badge tone="wait">No server answered</Badge>;
  if (right === all) return <Badge tone="good">Right everywhere</Badge>;
  const isAbsent = answers.servers.every(({ outcome }) => outcome === "absent");
  if (isEarly && isAbsent) return <Badge tone="neutral">Not there yet</Badge>;
  return (
    <Badge tone={right === 0 ? "bad" : "wait"}>
      Right at {right} of {all} servers
    </Badge>
  );
}

const outcomes: Readonly<Record<string, readonly [text: string, icon: IconName]>> = {
  match: ["right", "check"],
  mismatch: ["other value", "cross"],
  conflict: ["in conflict", "cross"],
  absent: ["not there", "cross"],
  unknown: ["no answer", "clock"],
};

function Matrix({ answers }: { readonly answers: RecordAnswers }) {
  return (
    <div className="matrix">
      <table aria-label={`${answers.type} ${answers.host} at each name server`}>
        <thead className="visually-hidden">
          <tr>
            <th>Name server</th>
            <th>Outcome</th>
            <th>Seen</th>
          </tr>
        </thead>
        <tbody>
          {answers.servers.map(({ server, outcome, values, reason }) => (
            <tr key={server}>
              <th scope="row" className="mono">
                {server}
              </th>
              <td>
                <span className={`outcome ${outcome}`}>
                  <Icon name={outcomes[outcome]?.[1] ?? "info"} />
                  {outcomes[outcome]?.[0] ?? outcome}
                </span>
              </td>
              <td>
                <code>{values.length > 0 ? values.join(", ") : (reason ?? "nothing")}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PendingRecords({ records }: { readonly records: readonly DnsRecord[] | null }) {
  if (records === null) return null;
  return (
    <div className="body stack">
      <Note tone="wait">
        The template or the edge has changed. These records are to replace the ones above; until
        then the domain is served as before.
      </Note>
      <dl className="facts">
        {records.map(({ host, type, value }) => (
          <div key={`${host} ${type} ${value}`} className="facts-row">
            <dt>
              {type} <code>{host}</code>
            </dt>
            <dd>
              <Copy text={value} label={`the new value of ${host}`} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
