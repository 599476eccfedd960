import type { DnsRecord, RecordPlan } from "@mooring/sdk";
import { Badge, Empty, type Tone } from "../ui/status.tsx";

const tones: Readonly<Record<RecordPlan["changes"][number]["action"], Tone>> = {
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

/** What a write would change in the customer's zone, line by line. */
export function PlanTable({ plan, replaced, onReplace }: Props) {
  if (plan.changes.length === 0) return <Empty title="There is nothing to change." />;
  const toggle = (id: string) => {
    const next = new Set(replaced);
    if (!next.delete(id)) next.add(id);
    onReplace(next);
  };
  return (
    <div className="table-frame cards">
      <table aria-label={`Plan for ${plan.zone}`}>
        <thead>
          <tr>
            <th>Change</th>
            <th>Record</th>
            <th>There now</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {plan.changes.map(({ id, action, record, existing, reason, replaceable }) => (
            <tr key={id}>
              <td>
                <Badge tone={tones[action]}>{action}</Badge>
              </td>
              <td data-label="Record">
                <code>{lineOf(record)}</code>
              </td>
              <td data-label="There now">
                <code>{existing.length === 0 ? "–" : existing.map(lineOf).join("\n")}</code>
              </td>
              <td data-label="Why">
                <div className="breakable">
                  {reason}
                  {action === "conflict" && replaceable ? (
                    <label className="check">
                      <input
                        type="checkbox"
                        checked={replaced.has(id)}
                        onChange={() => toggle(id)}
                      />
                      <span>Replace what is there</span>
                    </label>
                  ) : null}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {plan.notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </div>
  );
}

function lineOf({ host, type, value, priority }: DnsRecord): string {
  return `${host} ${type} ${priority === null ? "" : `${priority} `}${value}`;
}
