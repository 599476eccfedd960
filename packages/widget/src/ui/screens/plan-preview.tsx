import type { RecordChange } from "@mooring/sdk";
import { conflictsOf, mayApply } from "../../machine/automating.ts";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { RecordLine } from "../parts/record-line.tsx";
import { Screen } from "../parts/screen.tsx";
import { SetupProblem } from "../parts/setup.tsx";
import { providerOf, type Ui } from "../ui.ts";

/** What would be written, before it is; what is in the way needs a tick each. */
export function PlanPreview({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { plan } = state.automatic;
  const isBusy = state.busy === "apply";
  const provider = providerOf(state) ?? plan?.provider ?? "DNS";
  return (
    <Screen
      title={t("plan_title")}
      lede={t("plan_lede", { zone: plan?.zone ?? "", provider })}
      actions={
        <>
          <Button id="back" isDisabled={isBusy} onPress={() => send({ type: "back" })}>
            {t("back")}
          </Button>
          <Button
            look="primary"
            id="apply"
            isBusy={isBusy}
            isDisabled={!mayApply(state.automatic)}
            onPress={() => send({ type: "plan_accepted" })}
          >
            {t(isBusy ? "plan_applying" : "plan_apply")}
          </Button>
        </>
      }
    >
      <SetupProblem ui={ui} />
      {conflictsOf(plan).length > 0 && (
        <Notice tone="warn" id="plan-consent">
          <p>{t("plan_consent")}</p>
        </Notice>
      )}
      <ul class="changes" data-testid="svc-plan">
        {plan?.changes.map((change) => (
          <ChangeView key={change.id} ui={ui} change={change} />
        ))}
      </ul>
    </Screen>
  );
}

function ChangeView({ ui, change }: { readonly ui: Ui; readonly change: RecordChange }) {
  const { state, t, send } = ui;
  const { id, action, record, existing } = change;
  const isConflict = action === "conflict";
  return (
    <li class={`change ${action}`} data-testid="svc-change" data-action={action}>
      <span class="chip">{t(`plan_${action}`)}</span>
      <div class="change-lines">
        <RecordLine record={record} />
        {existing.length > 0 && action !== "keep" && (
          <div class="existing">
            <span class="muted">{t("plan_now")}</span>
            {existing.map((old) => (
              <RecordLine key={old.host + old.type + old.value} record={old} />
            ))}
          </div>
        )}
        {isConflict && (
          <label class="consent">
            <input
              type="checkbox"
              data-testid="svc-consent"
              checked={state.automatic.replace.includes(id)}
              disabled={state.busy !== null}
              onChange={(event) =>
                send({ type: "consented", id, isGiven: event.currentTarget.checked })
              }
            />{" "}
            {t("plan_replace")}
          </label>
        )}
      </div>
    </li>
  );
}
