import type { EmailApply } from "@mooring/sdk";
import { Copyable, checkIcon, Icon, Notice } from "../../parts.tsx";
import type { Ui } from "../../screen.tsx";

/** What the screens of mail show, for a mailbox as for a service that sends. */
export type MailView = Omit<EmailApply, "notes">;

/** What the SPF record's own part of the screen says. */
const saidBySpf: readonly string[] = ["spf_right", "spf_add", "spf_replace"];

export function otherNotes({ note_details }: MailView): MailView["note_details"] {
  return note_details.filter(({ code }) => !saidBySpf.includes(code));
}

/** A domain has one SPF record: what is there and what it must become, side by side. */
export function SpfAdvice({ ui, email }: { readonly ui: Ui; readonly email: MailView }) {
  const { t } = ui;
  const { spf, domain } = email;
  if (spf === null) return null;
  const { action, current, value } = spf;
  if (action === "keep") {
    return (
      <p class="muted block" data-testid="svc-spf" data-action={action}>
        <Icon path={checkIcon} /> {t("mail_spf_keep")}
      </p>
    );
  }
  if (action === "decide" || value === null) {
    return (
      <Notice tone="warn" title={t("mail_spf_decide")} id="spf">
        <p>{t("mail_spf_decide_lede")}</p>
        {current !== null && <code dir="ltr">{current}</code>}
      </Notice>
    );
  }
  return (
    <section class="block" data-testid="svc-spf" data-action={action}>
      <h3>{t(action === "replace" ? "mail_spf_replace" : "mail_spf_add")}</h3>
      {action === "replace" && <p class="muted small">{t("mail_spf_replace_lede")}</p>}
      <div class="card record">
        <div class="record-head">
          <span class="type">TXT</span>
          <code dir="ltr">{domain}</code>
        </div>
        {current !== null && (
          <div class="spf-now">
            <span class="muted">{t("mail_spf_now")}</span>
            <del dir="ltr" data-testid="svc-spf-current">
              {current}
            </del>
          </div>
        )}
        <Copyable
          ui={ui}
          label={t(current === null ? "manual_value" : "mail_spf_then")}
          subject="SPF"
          value={value}
          id="spf-value"
        />
      </div>
    </section>
  );
}

/** The SPF record is shown by itself, so it is not also among the records to add. */
export function withoutSpf({ manual_records: records, spf }: MailView) {
  return records.filter(({ type, value }) => spf === null || type !== "TXT" || value !== spf.value);
}
