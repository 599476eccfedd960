import type { MailProvider } from "../../../machine/state.ts";
import type { Ui } from "../../screen.tsx";
import { senderName } from "./mail-senders.ts";

/** What only the customer knows: it is shown in the console of the mail provider. */
const fields = {
  google_workspace: ["dkim_value"],
  microsoft_365: ["mx_host", "dkim_target1", "dkim_target2"],
  zoho: ["data_centre", "dkim_selector", "dkim_value"],
  resend: ["dkim_value", "region", "return_path"],
  postmark: ["dkim_selector", "dkim_value", "return_path"],
  ses: ["dkim_target1", "dkim_target2", "dkim_target3", "region", "return_path"],
  mailgun: ["dkim_selector", "dkim_value"],
  sendgrid: ["return_path", "account_host"],
  brevo: ["verification", "dkim_value"],
} as const satisfies Record<MailProvider, readonly string[]>;

type FieldKey = (typeof fields)[MailProvider][number];

/** Of the services that only send; their console shows the rest. */
const sendingExamples: Readonly<Partial<Record<FieldKey, string>>> = {
  region: "us-east-1",
  account_host: "u1234567.wl123.sendgrid.net",
  verification: "brevo-code:…",
};

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
} as const;

/** Shown by the style sheet while its provider is the chosen one. */
export function MailFields({ ui, provider }: { readonly ui: Ui; readonly provider: MailProvider }) {
  const { t, state } = ui;
  const keys: readonly FieldKey[] = fields[provider];
  const wrong = state.emailProblem?.path ?? null;
  const isSender = senderName(provider) !== "";
  return (
    <div class="mail-fields" data-testid={`svc-mail-fields-${provider}`} data-mail={provider}>
      {keys.map((key) => (
        <Field
          key={key}
          ui={ui}
          id={`svc-mail-${provider}-${key}`}
          name={key}
          sender={isSender ? senderName(provider) : null}
          isWrong={wrong === `inputs.${key}`}
        />
      ))}
      {!isSender && <p class="muted small">{t("mail_later")}</p>}
    </div>
  );
}

function Field({
  ui,
  id,
  name,
  sender,
  isWrong,
}: {
  readonly ui: Ui;
  readonly id: string;
  readonly name: FieldKey;
  /** The name of a service that only sends; null for a mailbox provider. */
  readonly sender: string | null;
  readonly isWrong: boolean;
}) {
  const { t } = ui;
  const example = (sender === null ? examples : sendingExamples)[name] ?? "";
  return (
    <div class={isWrong ? "field is-wrong" : "field"} {...(isWrong ? { "data-reveal": id } : {})}>
      <label for={id}>{fieldLabel(ui, name, sender)}</label>
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
        {isWrong ? t("mail_wrong") : fieldHint(ui, name, sender, example)}
      </p>
    </div>
  );
}

const labels = {
  region: "sending_region",
  return_path: "sending_return_path",
  account_host: "sending_account_host",
  verification: "sending_code",
  dkim_target1: "sending_target",
  dkim_target2: "sending_target",
  dkim_target3: "sending_target",
} as const;

function fieldLabel({ t }: Ui, name: FieldKey, sender: string | null): string {
  if (sender !== null && name in labels) {
    return t(labels[asSending(name)], { n: name.slice(-1) });
  }
  return t(`mail_${asMailbox(name)}`);
}

function fieldHint({ t }: Ui, name: FieldKey, sender: string | null, example: string): string {
  if (sender !== null) return t("sending_hint", { provider: sender });
  return t(hints[asMailbox(name)], { example });
}

/** Only called with a key of `labels`. */
function asSending(name: FieldKey): keyof typeof labels {
  return name as keyof typeof labels;
}

/** Only called with a field that mailbox providers have, which is a key of `hints`. */
function asMailbox(name: FieldKey): keyof typeof hints {
  return name as keyof typeof hints;
}

const alert = { role: "alert" } as const;

/** The values that were entered for the provider. */
export function readMailFields(
  form: HTMLFormElement,
  provider: MailProvider,
): Readonly<Record<string, string>> {
  const inputs = [...form.querySelectorAll<HTMLInputElement>(`[data-mail="${provider}"] input`)];
  return Object.fromEntries(
    inputs.flatMap(({ name, value }) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
}
