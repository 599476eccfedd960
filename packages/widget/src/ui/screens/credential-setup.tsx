import type { CredentialField } from "@mooring/sdk";
import { stepBack } from "../../machine/automating.ts";
import { Button, Icon, shieldIcon } from "../parts.tsx";
import { domainOf, providerOf, Screen, type Ui } from "../screen.tsx";
import { SetupProblem } from "./setup-problem.tsx";

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

/** A form that is shown again has what was entered, so that one letter can be corrected. */
function Field({ ui, field }: { readonly ui: Ui; readonly field: CredentialField }) {
  const { t, state } = ui;
  const { credential } = state.automatic;
  const given = credential === "stored" ? null : credential;
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
          defaultValue={given?.[key] ?? ""}
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
