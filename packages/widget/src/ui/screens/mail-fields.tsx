import type { MailboxProvider } from "../../machine/state.ts";
import type { Ui } from "../screen.tsx";

/** What only the customer knows: it is shown in the console of the mail provider. */
const fields = {
  google_workspace: ["dkim_value"],
  microsoft_365: ["mx_host", "dkim_target1", "dkim_target2"],
  zoho: ["data_centre", "dkim_selector", "dkim_value"],
} as const satisfies Record<MailboxProvider, readonly string[]>;

type FieldKey = (typeof fields)[MailboxProvider][number];

const examples: Readonly<Partial<Record<FieldKey, string>>> = {
  mx_host: "acme-com.mail.protection.outlook.com",
  dkim_selector: "zmail",
  data_centre: "eu",
};

const hints = {
  dkim_value: "mail_dkim_value_hint",
  dkim_selector: "mail_dkim_selector_hint",
  mx_host: "mail_mx_host_hint",
  dkim_target1: "mail_dkim_target_hint",
  dkim_target2: "mail_dkim_target_hint",
  data_centre: "mail_data_centre_hint",
} as const satisfies Record<FieldKey, string>;

/** Shown by the style sheet while its provider is the chosen one. */
export function MailFields({
  ui,
  provider,
}: {
  readonly ui: Ui;
  readonly provider: MailboxProvider;
}) {
  const { t, state } = ui;
  const keys: readonly FieldKey[] = fields[provider];
  const wrong = state.emailProblem?.path ?? null;
  return (
    <div class="mail-fields" data-testid={`svc-mail-fields-${provider}`} data-mail={provider}>
      {keys.map((key) => (
        <Field
          key={key}
          ui={ui}
          id={`svc-mail-${provider}-${key}`}
          name={key}
          isWrong={wrong === `inputs.${key}`}
        />
      ))}
      <p class="muted small">{t("mail_later")}</p>
    </div>
  );
}

function Field({
  ui,
  id,
  name,
  isWrong,
}: {
  readonly ui: Ui;
  readonly id: string;
  readonly name: FieldKey;
  readonly isWrong: boolean;
}) {
  const { t } = ui;
  const example = examples[name] ?? "";
  return (
    <div class={isWrong ? "field is-wrong" : "field"}>
      <label for={id}>{t(`mail_${name}`)}</label>
      <div class="input">
        <input
          id={id}
          name={name}
          data-testid={id}
          dir="ltr"
          type="text"
          placeholder={example}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby={`${id}-hint`}
          aria-invalid={isWrong}
        />
      </div>
      <p id={`${id}-hint`} class={isWrong ? "hint wrong" : "hint"} {...(isWrong ? alert : {})}>
        {isWrong ? t("mail_wrong") : t(hints[name], { example })}
      </p>
    </div>
  );
}

const alert = { role: "alert" } as const;

/** The values that were entered for the provider. */
export function readMailFields(
  form: HTMLFormElement,
  provider: MailboxProvider,
): Readonly<Record<string, string>> {
  const inputs = [...form.querySelectorAll<HTMLInputElement>(`[data-mail="${provider}"] input`)];
  return Object.fromEntries(
    inputs.flatMap(({ name, value }) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
}
