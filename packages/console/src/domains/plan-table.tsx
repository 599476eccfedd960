import type { DnsRecord, RecordPlan } from "@mooring/sdk";
import type { ReactNode } from "react";
import { Badge, Empty, type Tone } from "../ui/status.tsx";

type Change = RecordPlan["changes"][number];

const tones: Readonly<Record<Change["action"], Tone>> = {
  create: "good",
  update: "info",
  keep: "neutral",
  conflict: "bad",
  delete: "wait",
};

interface Props {
  readonly plan: RecordPlan;
  /** The conflicts whose records may be replaced. */
  readonly replaced: ReadonlySet<string>;
  readonly onReplace: (ids: ReadonlySet<string>) => void;
}

/** What a write would change in the customer's zone, with the consent that it needs. */
export function PlanTable({ plan, replaced, onReplace }: Props) {
  if (plan.changes.length === 0) return <Empty title="There is nothing to change." />;
  const toggle = (id: string) => {
    const next = new Set(replaced);
    if (!next.delete(id)) next.add(id);
    onReplace(next);
  };
  return (
    <div>
      <ChangeTable
        label={`Plan for ${plan.zone}`}
        changes={plan.changes}
        extra={({ id, action, replaceable }) =>
          action === "conflict" && replaceable ? (
            <label className="check">
              <input type="checkbox" checked={replaced.has(id)} onChange={() => toggle(id)} />
              <span>Replace what is there</span>
            </label>
          ) : null
        }
      />
      {plan.notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </div>
  );
}

interface ChangeTableProps {
  readonly label: string;
  readonly changes: readonly Change[];
  readonly extra?: (change: Change) => ReactNode;
}

/** Changes to a zone, line by line. */
export function ChangeTable({ label, changes, extra }: ChangeTableProps) {
  return (
    <div className="table-frame cards">
      <table aria-label={label}>
        <thead>
          <tr>
            <th>Change</th>
            <th>Record</th>
            <th>There before</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.id}>
              <td>
                <Badge tone={tones[change.action]}>{change.action}</Badge>
              </td>
              <td data-label="Record">
                <code>{recordLine(change.record)}</code>
              </td>
              <td data-label="There before">
                <code>
                  {change.existing.length === 0 ? "–" : change.existing.map(recordLine).join("\n")}
                </code>
              </td>
              <td data-label="Why">
                <div className="breakable">
                  {change.reason}
                  {extra?.(change)}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function recordLine({ host, type, value, priority }: DnsRecord): string {
  return `${host} ${type} ${priority === null ? "" : `${priority} `}${value}`;
}
