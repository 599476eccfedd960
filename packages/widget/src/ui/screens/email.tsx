import type { EmailApply } from "@mooring/sdk";
import { formHost } from "../../connection-view.ts";
import type { MailboxProvider } from "../../machine/state.ts";
import { Button, Copyable, checkIcon, Icon, Notice, RecordLine, Tile } from "../parts.tsx";
import { domainOf, Screen, type Ui } from "../screen.tsx";

const mailboxes: readonly (readonly [MailboxProvider, string])[] = [
  ["google_workspace", "Google Workspace"],
  ["microsoft_365", "Microsoft 365"],
  ["zoho", "Zoho Mail"],
];

export function Email({ ui }: { readonly ui: Ui }) {
  const { email } = ui.state;
  return email === null ? <ChooseMailbox ui={ui} /> : <MailRecords ui={ui} email={email} />;
}

function ChooseMailbox({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const isBusy = state.busy === "email";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    const chosen = form instanceof HTMLFormElement ? new FormData(form).get("svc-mailbox") : null;
    const provider = mailboxes.find(([slug]) => slug === chosen)?.[0];
    if (provider !== undefined) send({ type: "email_chosen", provider });
  };
  return (
    <form class="form" onSubmit={submit} data-testid="svc-email-form">
      <Screen
        title={t("email_title")}
        lede={t("email_lede", { domain: domainOf(state) })}
        actions={
          <>
            <Button
              id="email-skip"
              isDisabled={isBusy}
              onPress={() => send({ type: "email_done" })}
            >
              {t("email_skip")}
            </Button>
            <Button variant="primary" id="email-apply" isBusy={isBusy} isSubmit>
              {t("email_apply")}
            </Button>
          </>
        }
      >
        {state.emailProblem !== null && (
          <Notice tone="bad" title={t("email_problem")} id="email-problem">
            <p role="alert" lang="en">
              {state.emailProblem.message}
            </p>
          </Notice>
        )}
        <fieldset class="options">
          <legend class="sr-only">{t("email_choose")}</legend>
          {mailboxes.map(([slug, name]) => (
            <label key={slug} class="card option">
              <Tile name={name} />
              <strong class="grow">{name}</strong>
              <input
                type="radio"
                name="svc-mailbox"
                value={slug}
                data-testid={`svc-mailbox-${slug}`}
                required
              />
            </label>
          ))}
        </fieldset>
      </Screen>
    </form>
  );
}

function MailRecords({ ui, email }: { readonly ui: Ui; readonly email: EmailApply }) {
  const { t, send } = ui;
  return (
    <Screen
      title={t("email_done_title")}
      actions={
        <Button variant="primary" id="email-done" onPress={() => send({ type: "email_done" })}>
          {t("email_finish")}
        </Button>
      }
    >
      {email.written_records.length > 0 && (
        <section class="block">
          <h3>
            <Icon path={checkIcon} /> {t("email_written")}
          </h3>
          <ul class="lines" data-testid="svc-email-written">
            {email.written_records.map((record) => (
              <li key={record.host + record.type + record.value}>
                <RecordLine record={record} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {email.manual_records.length > 0 && <ByHand ui={ui} email={email} />}
      {email.notes.length > 0 && (
        <Notice tone="info" title={t("analysis_notes")} id="email-notes">
          <ul class="plain" lang="en">
            {email.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      )}
    </Screen>
  );
}

function ByHand({ ui, email }: { readonly ui: Ui; readonly email: EmailApply }) {
  const { t } = ui;
  const { check } = ui.state;
  const zone = check?.registrable_domain ?? email.domain;
  const form = check?.record_form ?? null;
  return (
    <section class="block">
      <h3>{t("email_manual")}</h3>
      <p class="muted small">{t("email_manual_lede")}</p>
      <ul class="records" data-testid="svc-email-manual">
        {email.manual_records.map((record) => (
          <li class="card record" key={record.host + record.type + record.value}>
            <div class="record-head">
              <span class="type">{record.type}</span>
              {record.priority !== null && (
                <span class="muted">
                  {t("manual_priority")} {record.priority}
                </span>
              )}
            </div>
            <Copyable
              ui={ui}
              label={form?.host_label ?? t("manual_host")}
              value={formHost(record.host, zone, form)}
              subject={`${record.type} ${record.host}`}
              id="record-host"
            />
            <Copyable
              ui={ui}
              label={form?.value_label ?? t("manual_value")}
              value={record.value}
              subject={`${record.type} ${record.host}`}
              id="record-value"
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
