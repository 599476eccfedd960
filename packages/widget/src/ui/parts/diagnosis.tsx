import type { Finding } from "@mooring/sdk";
import type { Ui } from "../ui.ts";
import { Spinner } from "./icon.tsx";

const shown = 3;

/** What the service found out, in its own words: the same as in the console and on the shared page. */
export function DiagnosisView({ ui }: { readonly ui: Ui }) {
  const { state, t } = ui;
  const { diagnosis, isDiagnosing } = state;
  if (diagnosis === null) {
    return isDiagnosing ? (
      <p class="looking" data-testid="svc-diagnosing">
        <Spinner /> {t("diagnosis_looking")}
      </p>
    ) : null;
  }
  return (
    <div class="diagnosis" data-testid="svc-diagnosis">
      <p lang="en">{diagnosis.summary}</p>
      {diagnosis.findings.slice(0, shown).map((finding) => (
        <FindingView key={finding.code + finding.title} ui={ui} finding={finding} />
      ))}
    </div>
  );
}

function FindingView({ ui, finding }: { readonly ui: Ui; readonly finding: Finding }) {
  const { t, brand } = ui;
  const { severity, title, fix, actor, evidence, code } = finding;
  return (
    <div class={`finding ${severity}`} data-testid="svc-finding" data-code={code}>
      <div class="finding-head">
        <strong lang="en">{title}</strong>
        <span class="chip">{t(`actor_${actor}`, { brand })}</span>
      </div>
      <p lang="en">{fix}</p>
      {evidence.length > 0 && (
        <details>
          <summary>{t("diagnosis_evidence")}</summary>
          <ul lang="en">
            {evidence.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
