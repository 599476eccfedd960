import type { RecordChange } from "@mooring/sdk";
import { findConflicts, mayApply } from "../../machine/automating.ts";
import { Button, Notice, RecordLine } from "../parts.tsx";
import { providerOf, Screen, type Ui } from "../screen.tsx";
import { mailWarning } from "./one-thing.tsx";
import { SetupProblem } from "./setup-problem.tsx";

/**
 * The planned changes; each conflict needs the person's consent, and one with mail a second one.
 */
export function PlanPreview({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { plan } = state.automatic;
  const isBusy = state.busy === "apply";
  const provider = providerOf(state) ?? plan?.provider ?? "DNS";
  const conflicts = findConflicts(plan);
  const isBlocked = conflicts.some(({ replaceable }) => !replaceable);
  return (
    <Screen
      title={t("plan_title")}
      lede={t("plan_lede", { zone: plan?.zone ?? "", provider })}
      actions={
        <>
          <Button id="back" isDisabled={isBusy} onPress={() => send({ type: "back" })}>
            {t("back")}
          </Button>
          {isBlocked ? (
            <Button
              variant="primary"
              id="method-manual"
              onPress={() => send({ type: "method_chosen", method: "manual" })}
            >
              {t("analysis_by_hand")}
            </Button>
          ) : (
            <Button
              variant="primary"
              id="apply"
              isBusy={isBusy}
              isDisabled={!mayApply(state.automatic)}
              onPress={() => send({ type: "plan_accepted" })}
            >
              {t(isBusy ? "plan_applying" : "plan_apply")}
            </Button>
          )}
        </>
      }
    >
      <SetupProblem ui={ui} />
      {isBlocked && (
        <Notice tone="warn" title={t("plan_blocked")} id="plan-blocked">
          <p>{t("plan_blocked_lede", { provider })}</p>
        </Notice>
      )}
      {conflicts.length > 0 && !isBlocked && (
        <Notice tone="warn" id="plan-consent">
          <p>{t("plan_consent")}</p>
        </Notice>
      )}
      <ul class="changes" data-testid="svc-plan">
        {plan?.changes.map((change) => (
          <ChangeView key={change.id} ui={ui} change={change} isBlocked={isBlocked} />
        ))}
      </ul>
    </Screen>
  );
}

function ChangeView({
  ui,
  change,
  isBlocked,
}: {
  readonly ui: Ui;
  readonly change: RecordChange;
  readonly isBlocked: boolean;
}) {
  const { t } = ui;
  const { action, record, existing, replaceable } = change;
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
        {action === "conflict" && <Reason ui={ui} change={change} />}
        {action === "conflict" && replaceable && !isBlocked && <Consents ui={ui} change={change} />}
      </div>
    </li>
  );
}

/** Why it is in the way. What the service says beyond the code is for developers, in English. */
function Reason({ ui, change }: { readonly ui: Ui; readonly change: RecordChange }) {
  const { t, state } = ui;
  const { conflict, record, reason } = change;
  const provider = providerOf(state) ?? t("your_provider");
  const said = t(`conflict_${conflict ?? "other_records"}`, { name: record.host, provider });
  const isSpecific = ui.locale === "en" && (conflict === null || conflict === "whole_zone");
  return (
    <p class="muted" data-testid="svc-reason">
      {isSpecific ? reason : said}
    </p>
  );
}

function Consents({ ui, change }: { readonly ui: Ui; readonly change: RecordChange }) {
  const { state, t, send } = ui;
  const { id, existing } = change;
  const { automatic, busy } = state;
  const warning = mailWarning(ui, existing);
  const mx = existing.find(({ type }) => type === "MX");
  return (
    <>
      <label class="consent">
        <input
          type="checkbox"
          data-testid="svc-consent"
          checked={automatic.replace.includes(id)}
          disabled={busy !== null}
          onChange={(event) =>
            send({ type: "consented", id, isGiven: event.currentTarget.checked })
          }
        />{" "}
        {t("plan_replace")}
      </label>
      {warning !== null && mx !== undefined && (
        <>
          <p class="hint wrong" data-testid="svc-mail-warning">
            {warning}
          </p>
          <label class="consent">
            <input
              type="checkbox"
              data-testid="svc-mail-consent"
              checked={automatic.mailLoss.includes(id)}
              disabled={busy !== null}
              onChange={(event) =>
                send({ type: "mail_loss_accepted", id, isGiven: event.currentTarget.checked })
              }
            />{" "}
            {t("conflict_mail_consent", { name: mx.host })}
          </label>
        </>
      )}
    </>
  );
}
