import type { RecordRow } from "../../connection-view.ts";
import type { Child } from "../../jsx-runtime.ts";
import { Copyable, checkIcon, Icon, Spinner } from "../parts.tsx";
import type { Ui } from "../screen.tsx";

/** One record, with the names of the provider's own form, to be copied from. */
export function RecordCard({
  ui,
  row,
  isAlone = false,
}: {
  readonly ui: Ui;
  readonly row: RecordRow;
  /** It is the only one, and has the room that it needs. */
  readonly isAlone?: boolean;
}) {
  const { t, brand, state } = ui;
  const { host, status, observed, purpose } = row;
  const form = state.check?.record_form ?? null;
  const isOld = state.isEarly && status === "different";
  return (
    <li
      class={`card record ${isOld ? "" : (status ?? "")} ${isAlone ? "alone" : ""}`}
      data-testid="svc-record"
      data-status={status ?? ""}
    >
      <div class="record-head">
        <span class="type">{row.type}</span>
        <span class="grow muted">{purpose !== null && t(purposes[purpose], { brand })}</span>
        {status !== null && <Status ui={ui} status={status} />}
      </div>
      <Copyable
        ui={ui}
        label={form?.host_label ?? t("manual_host")}
        value={host}
        subject={rowSubject(row)}
        id="record-host"
      />
      {observed === null ? (
        <Value ui={ui} row={row} label={form?.value_label ?? t("manual_value")} />
      ) : (
        <div class="versus" data-testid="svc-versus">
          <div class="copyable">
            <span class="copyable-label">{t("manual_found")}</span>
            <code dir="ltr" data-testid="svc-record-observed">
              {observed}
            </code>
          </div>
          <Value ui={ui} row={row} label={t("manual_expected")} />
        </div>
      )}
      <p class="muted small">{restText(ui, row)}</p>
      {row.type === "ALIAS" && <p class="muted small">{t("manual_alias")}</p>}
    </li>
  );
}

/** What belongs there. */
function Value({
  ui,
  row,
  label,
}: {
  readonly ui: Ui;
  readonly row: RecordRow;
  readonly label: string;
}) {
  return (
    <Copyable
      ui={ui}
      label={label}
      value={row.value}
      shown={spelled(row.value)}
      subject={rowSubject(row)}
      id="record-value"
    />
  );
}

/** Tells the buttons of one record from those of another. */
function rowSubject({ type, host, record }: RecordRow): string {
  return `${type} ${host === "" ? record.host : host}`;
}

const groupLength = 4;
const groupStarts = [0, 4, 8, 12, 16, 20, 24];

/** A random label can be read aloud in groups; its text stays as it is. */
function spelled(value: string): Child {
  const [, label = "", rest = ""] = /^([a-z2-7]{26})(\..+)$/.exec(value) ?? [];
  if (label === "") return value;
  return (
    <>
      {groupStarts.map((at) => (
        <span key={at} class="group">
          {label.slice(at, at + groupLength)}
        </span>
      ))}
      <span class="edge-name">{rest}</span>
    </>
  );
}

const purposes = {
  both: "manual_both",
  ownership: "manual_ownership",
  traffic: "manual_traffic",
  validation: "moving_validation",
} as const;

/** What the form takes besides host and value, on one line. */
function restText({ t, state }: Ui, { record, host, ttl }: RecordRow): string {
  const ttlLabel = state.check?.record_form?.ttl_label ?? t("manual_ttl");
  return [
    record.priority !== null && `${t("manual_priority")} ${record.priority}`,
    ttl !== null && `${ttlLabel} ${ttl}`,
    host !== record.host && t("manual_full", { name: record.host }),
  ]
    .filter(Boolean)
    .join(" · ");
}

function Status({
  ui,
  status,
}: {
  readonly ui: Ui;
  readonly status: NonNullable<RecordRow["status"]>;
}) {
  // Before anybody could act, what was there before is no mistake.
  const different = ui.state.isEarly ? "" : "warn";
  const tone = { found: "ok", waiting: "", different, checking: "" }[status];
  return (
    <span class={`chip status ${tone}`} data-testid="svc-record-status">
      {status === "found" ? <Icon path={checkIcon} /> : status !== "different" && <Spinner />}
      {ui.t(`manual_${status}`)}
    </span>
  );
}
