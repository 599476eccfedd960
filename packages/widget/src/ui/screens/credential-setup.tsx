import type { CredentialField } from "@mooring/sdk";
import { stepBack } from "../../machine/automating.ts";
import { Button, Icon, outIcon, serversIcon, shieldIcon, Tile } from "../parts.tsx";
import { providerOf, Screen, shownDomain, type Ui } from "../screen.tsx";
import { SetupProblem } from "./setup-problem.tsx";

/** The form of the provider's credential: how to get it, and the fields that are needed. */
export function CredentialForm({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const provider = providerOf(state) ?? "DNS";
  const { needed, optional } = formFields(ui);
  const isBusy = state.busy === "plan";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement) {
      const fields = readFields(event.currentTarget, [...needed, ...optional]);
      send({ type: "credential_given", fields });
    }
  };
  return (
    <form class="form" autocomplete="off" onSubmit={submit} data-testid="svc-credential-form">
      <Screen
        title={t("token_title", { provider })}
        lede={t("automatic_token_lede", { provider, domain: shownDomain(state) })}
        actions={
          <>
            <OtherWays ui={ui} />
            <Button variant="primary" id="preview" isSubmit isBusy={isBusy}>
              {t(isBusy ? "token_checking" : "token_preview")}
            </Button>
          </>
        }
      >
        <SetupProblem ui={ui} />
        <HowTo ui={ui} provider={provider} />
        <Alternatives ui={ui} />
        {needed.map((field) => (
          <Field key={field.key} ui={ui} field={field} isRequired />
        ))}
        {optional.length > 0 && (
          <details class="more">
            <summary>{t("token_more")}</summary>
            {optional.map((field) => (
              <Field key={field.key} ui={ui} field={field} isRequired={false} />
            ))}
          </details>
        )}
        <p class="assurance">
          <Icon path={shieldIcon} /> {t("token_once")}
        </p>
      </Screen>
    </form>
  );
}

/** Numbered steps to the credential, with a link to the page where it is made. */
function HowTo({ ui, provider }: { readonly ui: Ui; readonly provider: string }) {
  const { t, state, brand } = ui;
  const token = state.check?.guide.token ?? null;
  if (token === null) return null;
  const zone = state.check?.registrable_domain ?? "";
  const addresses = token.addresses.join(", ");
  return (
    <div class="help">
      <div class="help-head">
        <Tile path={serversIcon} />
        <strong class="grow">{t("token_how")}</strong>
      </div>
      <ol class="guide" data-testid="svc-token-steps">
        <li>
          <a
            class="button quiet"
            href={token.url}
            target="_blank"
            rel="noopener noreferrer"
            data-testid="svc-token-link"
          >
            {t("token_open", { provider })} <Icon path={outIcon} />
            <span class="sr-only">({t("opens_new_window")})</span>
          </a>
        </li>
        {token.steps.map(({ action, label }) => (
          <li key={`${action} ${label}`}>
            {action === "addresses" && addresses === ""
              ? t("step_addresses_unknown", { label, brand })
              : t(`step_${action}`, { label, zone, addresses })}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Which of several kinds of credentials the person has; each has its own fields. */
function Alternatives({ ui }: { readonly ui: Ui }) {
  const { t, state, send } = ui;
  const { check, automatic } = state;
  const alternatives = check?.guide.token?.alternatives ?? [];
  if (alternatives.length < 2) return null;
  const fieldLabel = (key: string) =>
    check?.credential_fields.find((field) => field.key === key)?.label ?? key;
  return (
    <fieldset class="alternatives" data-testid="svc-alternatives">
      <legend>{t("token_which")}</legend>
      {alternatives.map((keys, index) => (
        <label key={keys.join()} class="consent">
          <input
            type="radio"
            name="svc-alternative"
            data-testid={`svc-alternative-${index}`}
            checked={automatic.alternative === index}
            onChange={() => send({ type: "alternative_chosen", index })}
          />{" "}
          {keys.map(fieldLabel).join(" + ")}
        </label>
      ))}
    </fieldset>
  );
}

interface FormFields {
  readonly needed: readonly CredentialField[];
  readonly optional: readonly CredentialField[];
}

/** Of the chosen alternative all fields are needed; those of the others are not shown. */
function formFields({ state }: Ui): FormFields {
  const fields = state.check?.credential_fields ?? [];
  const alternatives = state.check?.guide.token?.alternatives ?? [];
  const chosen = alternatives[state.automatic.alternative] ?? alternatives[0] ?? null;
  const isElsewhere = (key: string) => alternatives.some((keys) => keys.includes(key));
  const isNeeded = ({ key, required }: CredentialField) =>
    chosen?.includes(key) === true || (required && !isElsewhere(key));
  return {
    needed: fields.filter(isNeeded),
    optional: fields.filter((field) => !isNeeded(field) && !isElsewhere(field.key)),
  };
}

/** A form that is shown again has what was entered, so that one letter can be corrected. */
function Field({
  ui,
  field,
  isRequired,
}: {
  readonly ui: Ui;
  readonly field: CredentialField;
  readonly isRequired: boolean;
}) {
  const { t, state, send } = ui;
  const { credential } = state.automatic;
  const typed = credential === "stored" ? null : credential;
  const { key, label, secret, placeholder } = field;
  const id = `svc-field-${key}`;
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>
          {label}
          {!isRequired && <span class="muted"> ({t("token_optional")})</span>}
        </label>
      </div>
      <div class="input">
        <input
          id={id}
          name={key}
          data-testid={id}
          dir="ltr"
          {...(secret ? { type: "password" } : { type: "text" })}
          required={isRequired}
          {...(placeholder === undefined ? {} : { placeholder })}
          defaultValue={state.draft[key] ?? typed?.[key] ?? ""}
          onInput={({ currentTarget }) =>
            send({ type: "credential_typed", key, text: currentTarget.value })
          }
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
  const typed = fields.flatMap(({ key }) => {
    const value = data.get(key);
    return typeof value === "string" && value.trim() !== "" ? [[key, value.trim()] as const] : [];
  });
  return Object.fromEntries(typed);
}

/** Where there is no choice of ways, the other one is offered beside the way back. */
function OtherWays({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const isFirst = stepBack(state).mode === state.automatic.mode;
  return (
    <>
      <Button id="back" isDisabled={state.busy !== null} onPress={() => send({ type: "back" })}>
        {t("back")}
      </Button>
      {isFirst && (
        <Button
          variant="link"
          id="method-manual"
          isDisabled={state.busy !== null}
          onPress={() => send({ type: "method_chosen", method: "manual" })}
        >
          {t("analysis_by_hand")}
        </Button>
      )}
    </>
  );
}
