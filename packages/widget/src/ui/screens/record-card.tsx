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
  const { record, host, status, observed, purpose } = row;
  const form = state.check?.record_form ?? null;
  const subject = `${row.type} ${host === "" ? record.host : host}`;
  return (
    <li
      class={`card record ${status ?? ""} ${isAlone ? "alone" : ""}`}
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
        subject={subject}
        id="record-host"
      />
      <Copyable
        ui={ui}
        label={form?.value_label ?? t("manual_value")}
        value={row.value}
        shown={spelled(row.value)}
        subject={subject}
        id="record-value"
      />
      <p class="muted small">{restText(ui, row)}</p>
      {row.type === "ALIAS" && <p class="muted small">{t("manual_alias")}</p>}
      {observed !== null && (
        <p class="observed" dir="auto">
          {t("manual_observed", { value: observed })}
        </p>
      )}
    </li>
  );
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
  const tone = { found: "ok", waiting: "", different: "warn", checking: "" }[status];
  return (
    <span class={`chip status ${tone}`} data-testid="svc-record-status">
      {status === "found" ? <Icon path={checkIcon} /> : status !== "different" && <Spinner />}
      {ui.t(`manual_${status}`)}
    </span>
  );
}
