import type { EmailApply, SendingDomain } from "@mooring/sdk";
import { formHost, formValue } from "../../connection-view.ts";
import type { MailboxProvider, MailProvider } from "../../machine/state.ts";
import {
  Button,
  Copyable,
  checkIcon,
  Icon,
  mailIcon,
  Notice,
  RecordLine,
  Tile,
} from "../parts.tsx";
import { providerOf, Screen, shownDomain, type Ui } from "../screen.tsx";
import { AccessAgain } from "./access-again.tsx";
import { MailFields, readMailFields } from "./mail/mail-fields.tsx";
import { senderName, senders } from "./mail/mail-senders.ts";
import { type MailView, otherNotes, SpfAdvice, withoutSpf } from "./mail/mail-spf.tsx";

const mailboxes: readonly (readonly [MailboxProvider, string])[] = [
  ["google_workspace", "Google Workspace"],
  ["microsoft_365", "Microsoft 365"],
  ["zoho", "Zoho Mail"],
];

export function Email({ ui }: { readonly ui: Ui }) {
  const { email, sending } = ui.state;
  if (sending !== null) return <SendingRecords ui={ui} sending={sending} />;
  return email === null ? <ChooseMailbox ui={ui} /> : <MailRecords ui={ui} email={email} />;
}

function ChooseMailbox({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const isBusy = state.busy === "email";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const chosen = new FormData(form).get("svc-mailbox");
    const provider = [...mailboxes, ...senders].find(([slug]) => slug === chosen)?.[0];
    if (provider === undefined) return;
    send({ type: "email_chosen", provider, inputs: readMailFields(form, provider) });
  };
  return (
    <form class="form" onSubmit={submit} data-testid="svc-email-form">
      <Screen
        title={t("email_title")}
        lede={t("email_lede", { domain: shownDomain(state) })}
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
              {t("mail_show")}
            </Button>
          </>
        }
      >
        <MailProblem ui={ui} />
        <fieldset class="options">
          <legend class="sr-only">{t("email_choose")}</legend>
          {mailboxes.map((one) => (
            <MailOption key={one[0]} ui={ui} option={one} />
          ))}
          <details class="senders" data-testid="svc-senders">
            <summary>{t("sending_title")}</summary>
            <p class="muted small">{t("sending_lede")}</p>
            {senders.map((one) => (
              <MailOption key={one[0]} ui={ui} option={one} />
            ))}
          </details>
        </fieldset>
        <AccessAgain ui={ui} lede="access_again_mail" />
      </Screen>
    </form>
  );
}

function MailOption({
  ui,
  option: [slug, name],
}: {
  readonly ui: Ui;
  readonly option: readonly [MailProvider, string];
}) {
  return (
    <div class="mailbox">
      <label class="card option">
        <Tile path={mailIcon} />
        <strong class="grow">{name}</strong>
        <input
          type="radio"
          name="svc-mailbox"
          value={slug}
          data-testid={`svc-mailbox-${slug}`}
          required
        />
      </label>
      <MailFields ui={ui} provider={slug} />
    </div>
  );
}

/** A wrong input is said at its field. */
function MailProblem({ ui: { state, t } }: { readonly ui: Ui }) {
  const { emailProblem: problem } = state;
  if (problem === null || problem.path?.startsWith("inputs.") === true) return null;
  const provider = providerOf(state) ?? t("your_provider");
  return (
    <Notice tone="bad" title={t("email_problem")} id="email-problem">
      <p role="alert">
        {problem.code === "provider_error"
          ? t("mail_problem_access", { provider })
          : t("error_internal_lede")}
      </p>
    </Notice>
  );
}

/** What a service that sends finds in DNS, and when it accepts the domain. */
function SendingRecords({ ui, sending }: { readonly ui: Ui; readonly sending: SendingDomain }) {
  const { t, send, state } = ui;
  const { status, records, domain } = sending;
  const isPreview = state.mailDraft !== null;
  const provider = senderName(sending.provider);
  const isGood = status === "ready" || status === "accepted";
  // What DNS has already is not to be added any more.
  const isThere = ({ action, status: seen }: (typeof records)[number]) =>
    action === "written" || seen === "right";
  const isOpen = (one: (typeof records)[number]) => one.action === "manual" && !isThere(one);
  const email = {
    applied: isGood,
    domain,
    provider: "google_workspace" as const,
    written_records: records.filter(isThere),
    manual_records: records.filter(isOpen),
    spf: sending.spf,
    note_details: sending.note_details,
  };
  return (
    <Screen
      title={t(isPreview ? "mail_preview_title" : "email_done_title")}
      lede={isPreview ? t("mail_preview_lede") : undefined}
      actions={
        isPreview ? (
          <Confirm ui={ui} />
        ) : (
          <>
            <BackToValues ui={ui} />
            <Button
              id="sending-check"
              isBusy={state.busy === "email"}
              onPress={() => send({ type: "sending_check_asked" })}
            >
              {t("manual_check")}
            </Button>
            <Button variant="primary" id="email-done" onPress={() => send({ type: "email_done" })}>
              {t("email_finish")}
            </Button>
          </>
        )
      }
    >
      {!isPreview && (
        <div data-reveal={`sending ${status} ${sending.checked_at ?? ""}`} aria-live="polite">
          <Notice tone={isGood ? "info" : "warn"} id="sending-status">
            <p data-status={status}>{t(`sending_${status}`, { provider, domain })}</p>
          </Notice>
        </div>
      )}
      <MailLists ui={ui} email={email} />
    </Screen>
  );
}

function MailRecords({ ui, email }: { readonly ui: Ui; readonly email: EmailApply }) {
  const { t, send, state } = ui;
  const isPreview = state.mailDraft !== null;
  return (
    <Screen
      title={t(isPreview ? "mail_preview_title" : "email_done_title")}
      lede={isPreview ? t("mail_preview_lede") : undefined}
      actions={
        isPreview ? (
          <Confirm ui={ui} />
        ) : (
          <>
            <BackToValues ui={ui} />
            <Button variant="primary" id="email-done" onPress={() => send({ type: "email_done" })}>
              {t("email_finish")}
            </Button>
          </>
        )
      }
    >
      <MailLists ui={ui} email={email} />
    </Screen>
  );
}

/** Nothing is written before the person has seen what. */
function Confirm({ ui }: { readonly ui: Ui }) {
  const { t, send, state } = ui;
  return (
    <>
      <BackToValues ui={ui} />
      <Button
        variant="primary"
        id="email-write"
        isBusy={state.busy === "email"}
        onPress={() => send({ type: "email_confirmed" })}
      >
        {t("mail_preview_apply")}
      </Button>
    </>
  );
}

/** Values that were left out can be entered there. */
function BackToValues({ ui: { t, send } }: { readonly ui: Ui }) {
  return (
    <Button id="email-back" onPress={() => send({ type: "email_revised" })}>
      {t("back")}
    </Button>
  );
}

/** What was written, the SPF record, what is left to the person, and notes. */
function MailLists({ ui, email }: { readonly ui: Ui; readonly email: MailView }) {
  const { t } = ui;
  const notes = otherNotes(email);
  const isPreview = ui.state.mailDraft !== null;
  return (
    <>
      {email.written_records.length > 0 && (
        <section class="block">
          <h3>
            {isPreview ? null : <Icon path={checkIcon} />}{" "}
            {t(isPreview ? "mail_preview_written" : "email_written")}
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
      <SpfAdvice ui={ui} email={email} />
      {withoutSpf(email).length > 0 && <ByHand ui={ui} email={email} />}
      {notes.length > 0 && (
        <Notice tone="info" title={t("analysis_notes")} id="email-notes">
          <ul class="plain">
            {notes.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function ByHand({ ui, email }: { readonly ui: Ui; readonly email: MailView }) {
  const { t } = ui;
  const { check } = ui.state;
  const zone = check?.registrable_domain ?? email.domain;
  const form = check?.record_form ?? null;
  return (
    <section class="block">
      <h3>{t("email_manual")}</h3>
      <p class="muted small">{t("email_manual_lede")}</p>
      <ul class="records" data-testid="svc-email-manual">
        {withoutSpf(email).map((record) => (
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
              value={formValue(record, form)}
              subject={`${record.type} ${record.host}`}
              id="record-value"
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
