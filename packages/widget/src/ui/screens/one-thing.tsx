import type { DnsRecord, Finding } from "@mooring/sdk";
import { desiredRow, findZone } from "../../connection-view.ts";
import { findTrouble, type Trouble } from "../../machine/trouble.ts";
import { Button, Icon, RecordLine, Spinner, warnIcon } from "../parts.tsx";
import { providerOf, Screen, shownDomain, type Ui } from "../screen.tsx";
import { CheckAnswer } from "./check-answer.tsx";
import { RecordCard } from "./record-card.tsx";

/** The cause of what stopped the setup, who acts, and how: in place of the progress. */
export function OneThing({ ui, trouble }: { readonly ui: Ui; readonly trouble: Trouble }) {
  const { state, t, send } = ui;
  return (
    <Screen
      // What somebody else has to do is no task for the customer.
      title={t(trouble.actor === "end_customer" ? "fix_title" : "fix_delay")}
      lede={t("fix_lede", { domain: shownDomain(state) })}
      actions={
        <>
          {state.connection?.state !== "issuing_cert" && (
            <Button
              variant="link"
              id="show-records"
              onPress={() => send({ type: "records_asked" })}
            >
              {t("progress_show_records")}
            </Button>
          )}
          <Button
            variant="primary"
            id="check-now"
            isBusy={state.isChecking}
            onPress={() => send({ type: "check_asked" })}
          >
            {t("fix_check")}
          </Button>
        </>
      }
    >
      <TroubleCard ui={ui} trouble={trouble} />
      <CheckAnswer ui={ui} />
      <p class="muted small">{t("fix_leave")}</p>
    </Screen>
  );
}

/** Also above the records of the manual setup. */
export function TroubleCard({ ui, trouble }: { readonly ui: Ui; readonly trouble: Trouble }) {
  const { t, brand, state } = ui;
  const { finding, actor, code } = trouble;
  const { title, fix } = troubleText(ui, trouble);
  return (
    <section
      class={`trouble-card ${actor}`}
      data-testid="svc-trouble"
      data-code={finding?.code ?? code ?? ""}
      data-reveal={`trouble ${finding?.code ?? code ?? ""}`}
    >
      <div class="finding-head">
        <h3>
          <Icon path={warnIcon} /> {title}
        </h3>
        <span class="chip">{t(`actor_${actor}`, { brand })}</span>
      </div>
      <p>{fix}</p>
      {finding !== null && <Changes ui={ui} finding={finding} />}
      {finding === null && state.isDiagnosing && (
        <p class="muted small" data-testid="svc-diagnosing">
          <Spinner /> {t("diagnosis_running")}
        </p>
      )}
      {finding !== null && <Evidence ui={ui} finding={finding} />}
    </section>
  );
}

/** The heading of what is wrong; null while nothing is. */
export function troubleTitle(ui: Pick<Ui, "state" | "t">): string | null {
  const trouble = findTrouble(ui.state);
  return trouble === null ? null : troubleText(ui, trouble).title;
}

/** The words of the widget where the code has them; else the service's for customers. */
function troubleText(ui: Pick<Ui, "state" | "t">, { code, finding, isExplained }: Trouble) {
  const { t, state } = ui;
  if (code !== null && isExplained) {
    const params = {
      domain: shownDomain(state),
      provider: providerOf(state) ?? t("your_provider"),
      zone: state.check?.registrable_domain ?? shownDomain(state),
      observed: finding?.params["observed"] || "…",
    };
    return {
      title: t(`trouble_${code}`, params),
      fix: t(`trouble_${code}_fix`, params),
    };
  }
  return finding?.texts.end_customer ?? { title: "", fix: "" };
}

function Changes({ ui, finding }: { readonly ui: Ui; readonly finding: Finding }) {
  const { t } = ui;
  const { add_records: add, remove_records: remove } = finding;
  return (
    <>
      {remove.length > 0 && (
        <RemoveFirst
          Heading="h4"
          title={t("fix_remove")}
          records={remove}
          warning={mailWarning(ui, remove)}
        />
      )}
      {add.length > 0 && (
        <div class="fix-add">
          <h4>{t("fix_add")}</h4>
          <AddRecords ui={ui} records={add} />
        </div>
      )}
    </>
  );
}

export function RemoveFirst({
  Heading,
  title,
  records,
  warning,
}: {
  /** One below the heading that it is under. */
  readonly Heading: "h3" | "h4";
  readonly title: string;
  readonly records: readonly DnsRecord[];
  readonly warning: string | null;
}) {
  return (
    <div class="fix-remove" data-testid="svc-remove">
      <Heading>{title}</Heading>
      <ul class="lines">
        {records.map((record) => (
          <li key={record.host + record.type + record.value}>
            <RecordLine record={record} />
          </li>
        ))}
      </ul>
      {warning !== null && (
        <p class="hint wrong" data-testid="svc-mail-warning">
          {warning}
        </p>
      )}
    </div>
  );
}

/** What is lost with an MX record; null when none is among them. */
export function mailWarning({ t }: Ui, records: readonly DnsRecord[]): string | null {
  const mx = records.find(({ type }) => type === "MX");
  return mx === undefined ? null : t("conflict_mail_warning", { name: mx.host });
}

function AddRecords({ ui, records }: { readonly ui: Ui; readonly records: readonly DnsRecord[] }) {
  const { connection, check } = ui.state;
  if (connection === null) return null;
  const zone = findZone(connection, check);
  return (
    <ul class="records">
      {records.map((record) => (
        <RecordCard
          key={record.host + record.type + record.value}
          ui={ui}
          row={desiredRow(record, zone, check)}
        />
      ))}
    </ul>
  );
}

function Evidence({ ui, finding }: { readonly ui: Ui; readonly finding: Finding }) {
  // Evidence quotes servers, in English only.
  if (finding.evidence.length === 0 || ui.locale !== "en") return null;
  return (
    <details>
      <summary>{ui.t("diagnosis_evidence")}</summary>
      <ul>
        {finding.evidence.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
