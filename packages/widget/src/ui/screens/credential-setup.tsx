import type { CredentialField, RecordChange } from "@mooring/sdk";
import { conflictsOf, mayApply, stepBack } from "../../machine/automating.ts";
import { Button, Icon, Notice, RecordLine, shieldIcon } from "../parts.tsx";
import { domainOf, providerOf, Screen, type Ui } from "../screen.tsx";

/** The form of the provider's credential fields, as the service lists them. */
export function CredentialForm({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { check, busy } = state;
  const provider = providerOf(state) ?? "DNS";
  const fields = check?.credential_fields ?? [];
  const help = check?.credential_help ?? null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement) {
      send({ type: "credential_given", fields: readFields(event.currentTarget, fields) });
    }
  };
  return (
    <form class="form" autocomplete="off" onSubmit={submit} data-testid="svc-credential-form">
      <Screen
        title={t("token_title", { provider })}
        lede={t("automatic_token_lede", { provider, domain: domainOf(state) })}
        actions={
          <>
            <BackOrManual ui={ui} />
            <Button variant="primary" id="preview" isSubmit isBusy={busy === "plan"}>
              {t(busy === "plan" ? "token_checking" : "token_preview")}
            </Button>
          </>
        }
      >
        <SetupProblem ui={ui} />
        {help !== null && (
          <div class="help">
            <strong>{t("token_how")}</strong>
            <p lang="en">{help}</p>
          </div>
        )}
        {fields.map((field) => (
          <Field key={field.key} ui={ui} field={field} />
        ))}
        <p class="assurance">
          <Icon path={shieldIcon} /> {t("token_once")}
        </p>
      </Screen>
    </form>
  );
}

function Field({ ui, field }: { readonly ui: Ui; readonly field: CredentialField }) {
  const { t } = ui;
  const { key, label, secret, required, help_url: helpUrl } = field;
  const id = `svc-field-${key}`;
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>
          {label}
          {!required && <span class="muted"> ({t("token_optional")})</span>}
        </label>
        {/^https:\/\//.test(helpUrl) && (
          <a class="link" href={helpUrl} target="_blank" rel="noopener noreferrer">
            {t("token_where")} <span class="sr-only">({t("opens_new_window")})</span>
          </a>
        )}
      </div>
      <div class="input">
        <input
          id={id}
          name={key}
          data-testid={id}
          dir="ltr"
          {...(secret ? { type: "password" } : { type: "text" })}
          required={required}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      </div>
    </div>
  );
}

/** Omits empty optional fields. */
function readFields(
  form: HTMLFormElement,
  fields: readonly CredentialField[],
): Readonly<Record<string, string>> {
  const data = new FormData(form);
  const given = fields.flatMap(({ key }) => {
    const value = data.get(key);
    return typeof value === "string" && value.trim() !== "" ? [[key, value.trim()] as const] : [];
  });
  return Object.fromEntries(given);
}

/** The planned changes; each conflict needs the person's consent. */
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
            variant="primary"
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
  const { id, action, record, existing, reason, replaceable } = change;
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
          <p class="muted" lang="en" data-testid="svc-reason">
            {reason}
          </p>
        )}
        {isConflict && replaceable && (
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

/** The service's message about the provider's error. */
export function SetupProblem({ ui }: { readonly ui: Ui }) {
  const { problem } = ui.state.automatic;
  if (problem === null) return null;
  return (
    <Notice tone="bad" title={ui.t("automatic_problem")} id="setup-problem">
      <p role="alert" lang="en">
        {problem.message}
      </p>
    </Notice>
  );
}

/** A back button to the choice, or where there is no choice, a link to manual setup. */
function BackOrManual({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const isFirst = stepBack(state).mode === state.automatic.mode;
  if (isFirst) {
    return (
      <Button
        variant="link"
        id="method-manual"
        isDisabled={state.busy !== null}
        onPress={() => send({ type: "method_chosen", method: "manual" })}
      >
        {t("analysis_by_hand")}
      </Button>
    );
  }
  return (
    <Button id="back" isDisabled={state.busy !== null} onPress={() => send({ type: "back" })}>
      {t("back")}
    </Button>
  );
}
