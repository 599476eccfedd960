import type { Finding } from "@mooring/sdk";
import {
  cacheMinutes,
  countFound,
  type StageProgress,
  stageProgress,
} from "../../connection-view.ts";
import { moveStatus } from "../../machine/cutover.ts";
import { findTrouble } from "../../machine/trouble.ts";
import { Button, checkIcon, clockIcon, Icon, Notice, Spinner } from "../parts.tsx";
import { Screen, shownDomain, type Ui } from "../screen.tsx";
import { CdnNote } from "./cdn-note.tsx";
import { Moving } from "./moving.tsx";
import { OneThing } from "./one-thing.tsx";

export function InProgress({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { connection } = state;
  if (connection === null) return null;
  const trouble = findTrouble(state);
  if (trouble !== null) return <OneThing ui={ui} trouble={trouble} />;
  if (moveStatus(connection) !== null) return <Moving ui={ui} connection={connection} />;
  return (
    <Screen
      title={t("progress_title")}
      lede={t("progress_lede", { domain: shownDomain(state) })}
      actions={
        <>
          {connection.state !== "issuing_cert" && (
            <Button
              variant="link"
              id="show-records"
              onPress={() => send({ type: "records_asked" })}
            >
              {t("progress_show_records")}
            </Button>
          )}
          <Button id="close-later" onPress={() => send({ type: "close_asked" })}>
            {t("close")}
          </Button>
        </>
      }
    >
      <ol class="stages" data-testid="svc-stages">
        {stageProgress(connection).map((progress) => (
          <StageView key={progress.stage} ui={ui} progress={progress} />
        ))}
      </ol>
      {state.isStalling && (
        <Notice tone="info" title={t("progress_stall_title")} id="stall">
          <p>{t("progress_stall_lede")}</p>
          <DiagnosisView ui={ui} />
        </Notice>
      )}
      {connection.proxied !== null && <CdnNote ui={ui} />}
      <Expectation ui={ui} />
    </Screen>
  );
}

function StageView({ ui, progress }: { readonly ui: Ui; readonly progress: StageProgress }) {
  const { t, state } = ui;
  const { stage, status } = progress;
  const count = stage === "records" && status === "active" ? countFound(state.records) : null;
  return (
    <li
      class={`stage ${status}`}
      data-testid={`svc-stage-${stage}`}
      data-status={status}
      aria-current={status === "active" ? "step" : undefined}
    >
      <span class="stage-mark">
        {status === "done" && <Icon path={checkIcon} />}
        {status === "active" && <Spinner />}
      </span>
      <span class="grow">
        <strong>{t(`progress_${stage}`)}</strong>
        {status === "done" && <span class="sr-only"> {t("progress_done")}</span>}
        {status === "active" && stage !== "live" && (
          <span class="muted">
            {t(`progress_${stage}_active`)}
            {count !== null && ` · ${t("progress_records_count", count)}`}
          </span>
        )}
      </span>
    </li>
  );
}

const minutesInHour = 60;

function Expectation({ ui }: { readonly ui: Ui }) {
  const { t, state } = ui;
  const minutes = cacheMinutes(state.check);
  const time =
    minutes > minutesInHour
      ? t("hours", { n: Math.ceil(minutes / minutesInHour) })
      : t("minutes", { n: minutes });
  return (
    <p class="muted small" data-testid="svc-expectation">
      <Icon path={clockIcon} /> {minutes > 0 && `${t("progress_cached", { time })} `}
      {t("progress_leave")}
    </p>
  );
}

const shown = 3;

/** The service's diagnosis, with the same texts as in the console and on the shared page. */
export function DiagnosisView({ ui }: { readonly ui: Ui }) {
  const { state, t } = ui;
  const { diagnosis, isDiagnosing } = state;
  if (diagnosis === null) {
    return isDiagnosing ? (
      <p class="diagnosing" data-testid="svc-diagnosing">
        <Spinner /> {t("diagnosis_running")}
      </p>
    ) : null;
  }
  return (
    <div class="diagnosis" data-testid="svc-diagnosis" data-reveal={diagnosis.checked_at}>
      {diagnosis.findings.slice(0, shown).map((finding) => (
        <FindingView key={finding.code + finding.title} ui={ui} finding={finding} />
      ))}
    </div>
  );
}

function FindingView({ ui, finding }: { readonly ui: Ui; readonly finding: Finding }) {
  const { t, brand } = ui;
  const { severity, actor, evidence, code } = finding;
  const { title, fix } = finding.texts.end_customer;
  return (
    <div class={`finding ${severity}`} data-testid="svc-finding" data-code={code}>
      <div class="finding-head">
        <strong>{title}</strong>
        <span class="chip">{t(`actor_${actor}`, { brand })}</span>
      </div>
      <p>{fix}</p>
      {evidence.length > 0 && (
        <details>
          <summary>{t("diagnosis_evidence")}</summary>
          <ul>
            {evidence.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
