import type { CredentialField } from "@mooring/sdk";
import { Button } from "../parts/button.tsx";
import { Icon, shieldIcon } from "../parts/icon.tsx";
import { Screen } from "../parts/screen.tsx";
import { BackOrManual, SetupProblem } from "../parts/setup.tsx";
import { domainOf, providerOf, type Ui } from "../ui.ts";

/** Drawn from what the service says that the provider needs. */
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
            <Button look="primary" id="preview" isSubmit isBusy={busy === "plan"}>
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

/** Empty optional fields are left out, as if they had not been there. */
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
