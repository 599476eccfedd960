import { cacheMinutes, countFound, progressOf, type StageProgress } from "../../progress.ts";
import { Button } from "../parts/button.tsx";
import { DiagnosisView } from "../parts/diagnosis.tsx";
import { checkIcon, clockIcon, Icon, Spinner } from "../parts/icon.tsx";
import { Notice } from "../parts/notice.tsx";
import { Screen } from "../parts/screen.tsx";
import { domainOf, type Ui } from "../ui.ts";

export function InProgress({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { connection } = state;
  if (connection === null) return null;
  return (
    <Screen
      title={t("progress_title")}
      lede={t("progress_lede", { domain: domainOf(state) })}
      actions={
        <>
          {connection.state !== "issuing_cert" && (
            <Button look="link" id="show-records" onPress={() => send({ type: "records_asked" })}>
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
        {progressOf(connection).map((progress) => (
          <StageView key={progress.stage} ui={ui} progress={progress} />
        ))}
      </ol>
      {state.isStalling && (
        <Notice tone="info" title={t("progress_stall_title")} id="stall">
          <p>{t("progress_stall_lede")}</p>
          <DiagnosisView ui={ui} />
        </Notice>
      )}
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
