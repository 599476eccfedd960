import type { ConnectionDetail, Diagnosis, Finding } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { diagnosisQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Copy } from "../ui/copy.tsx";
import { Icon } from "../ui/icon.tsx";
import { useSlow } from "../ui/slow.ts";
import { Badge, Loading, Problem } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { actorLabel } from "./state-text.ts";

/** What is wrong, whose move it is, and what to do: the first thing on the page. */
export function DiagnosisPanel({ connection }: { readonly connection: ConnectionDetail }) {
  const workspace = useWorkspace();
  const query = useQuery(diagnosisQuery(workspace, connection.id));
  const { data, error, isPending, isFetching, refetch } = query;
  const isSlow = useSlow(isFetching);
  return (
    <section className={`panel diagnosis ${diagnosisTone(data)}`} aria-label="Diagnosis">
      <header>
        <h2>Diagnosis</h2>
        <span className="row muted">
          {data === undefined ? null : <Ago at={data.checked_at} />}
          <button
            type="button"
            className="button small"
            disabled={isFetching}
            onClick={() => void refetch()}
          >
            <Icon name="refresh" />{" "}
            {isFetching ? (isSlow ? "Name servers are slow…" : "Asking DNS…") : "Ask again"}
          </button>
        </span>
      </header>
      {isPending ? <Loading lines={3} label="Asking the domain's name servers" /> : null}
      {error ? (
        <div className="body">
          <Problem error={error} onRetry={refetch} />
        </div>
      ) : null}
      {data === undefined ? null : <Findings diagnosis={data} />}
    </section>
  );
}

function diagnosisTone(diagnosis: Diagnosis | undefined): "" | "good" | "wait" | "bad" {
  if (diagnosis === undefined) return "";
  const severities = diagnosis.findings.map((finding) => asShown(finding, diagnosis).severity);
  if (severities.includes("error")) return "bad";
  return severities.includes("warning") ? "wait" : "good";
}

/** Before anybody could act, a record that is not there is no fault. */
function asShown(finding: Finding, { early }: Diagnosis): Finding {
  const isMissing = finding.code === "ownership_missing" || finding.code === "record_missing";
  return early && isMissing ? { ...finding, severity: "info" } : finding;
}

function Findings({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  return (
    <>
      <p className="body summary">{diagnosis.summary}</p>
      {diagnosis.findings.length === 0 ? null : (
        <ol className="findings">
          {diagnosis.findings.map((finding, index) => (
            // A code can occur twice; the order is part of the diagnosis.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
            <FindingItem key={index} finding={asShown(finding, diagnosis)} />
          ))}
        </ol>
      )}
    </>
  );
}

const icons = { error: "warning", warning: "warning", info: "info" } as const;
const tones = { end_customer: "wait", tenant: "bad", operator: "info", wait: "neutral" } as const;

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { severity, title, actor, fix, evidence, code } = finding;
  return (
    <li className={severity}>
      <Icon name={icons[severity]} />
      <div>
        <div className="spread">
          <h3 className="breakable">{title}</h3>
          <Badge tone={tones[actor]}>{actorLabel(actor)}</Badge>
        </div>
        <p className="fix">
          <Copy text={fix} label="what to do">
            <span>{fix}</span>
          </Copy>
        </p>
        {evidence.length === 0 ? null : (
          <details>
            <summary>
              Evidence <code>{code}</code>
            </summary>
            <pre>{evidence.join("\n")}</pre>
          </details>
        )}
      </div>
    </li>
  );
}
