import type { ConnectionDetail } from "@mooring/sdk";
import { type RecordRow, recordRows, zoneFile, zoneOf } from "../../connection-view.ts";
import { canGoBack } from "../../machine/entry-and-exit.ts";
import { isContested } from "../../machine/routing.ts";
import {
  Button,
  Copyable,
  checkIcon,
  downloadIcon,
  Icon,
  Notice,
  Spinner,
  sendIcon,
} from "../parts.tsx";
import { providerOf, Screen, type Ui } from "../screen.tsx";
import { DiagnosisView } from "./in-progress.tsx";

export function ManualConfiguration({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { connection, records, check } = state;
  if (connection === null) return null;
  const rows = recordRows(connection, records, check);
  const zone = zoneOf(connection, check);
  const provider = check?.provider ?? null;
  return (
    <Screen
      title={t(isContested(connection) ? "contest_title" : "manual_title")}
      lede={
        provider === null
          ? t("manual_lede_unknown", { zone })
          : t("manual_lede", { zone, provider })
      }
      actions={
        <>
          {canGoBack(state) && (
            <Button variant="link" id="back" onPress={() => send({ type: "back" })}>
              {t("manual_automatic")}
            </Button>
          )}
          <Button
            variant="primary"
            id="check-now"
            isBusy={state.isDiagnosing}
            onPress={() => send({ type: "check_asked" })}
          >
            {t("manual_check")}
          </Button>
        </>
      }
    >
      <Refusal ui={ui} connection={connection} />
      <ContestNotice ui={ui} connection={connection} />
      <ul class="records" data-testid="svc-records">
        {rows.map((row) => (
          <RecordCard
            key={row.record.host + row.record.type + row.record.value}
            ui={ui}
            row={row}
          />
        ))}
      </ul>
      <DiagnosisView ui={ui} />
      <Tools ui={ui} rows={rows} zone={zone} />
      <p class="muted small">{t("manual_leave")}</p>
    </Screen>
  );
}

function Refusal({ ui, connection }: { readonly ui: Ui; readonly connection: ConnectionDetail }) {
  if (connection.error_code?.startsWith("provider_") !== true) return null;
  const provider = providerOf(ui.state) ?? "DNS";
  return (
    <Notice tone="warn" id="refused">
      <p>{ui.t("manual_refused", { provider })}</p>
    </Notice>
  );
}

/** Two accounts want the domain: what decides, and when. */
function ContestNotice({
  ui,
  connection,
}: {
  readonly ui: Ui;
  readonly connection: ConnectionDetail;
}) {
  const { t, locale } = ui;
  const { contest, hostname: domain } = connection;
  if (!contest && connection.error_code !== "hostname_conflict") return null;
  const isHolder = isContested(connection);
  const key = isHolder ? "contest_holder" : contest ? "contest_prover" : "contest_both";
  const shape = { dateStyle: "medium", timeStyle: "short" } as const;
  const time = contest ? new Date(contest.deadline).toLocaleString(locale, shape) : "";
  return (
    <Notice tone={isHolder ? "warn" : "info"} id="contest">
      <p>{t(key, { domain, time })}</p>
    </Notice>
  );
}

export function RecordCard({ ui, row }: { readonly ui: Ui; readonly row: RecordRow }) {
  const { t, brand, state } = ui;
  const { record, host, status, observed, purpose } = row;
  const form = state.check?.record_form ?? null;
  const isFull = host === record.host;
  return (
    <li class={`card record ${status}`} data-testid="svc-record" data-status={status}>
      <div class="record-head">
        <span class="type">{row.type}</span>
        <span class="grow muted">
          {t(purpose === "ownership" ? "manual_ownership" : "manual_traffic", { brand })}
        </span>
        <Status ui={ui} status={status} />
      </div>
      <Copyable
        ui={ui}
        label={form?.host_label ?? t("manual_host")}
        value={host}
        id="record-host"
      />
      <Copyable
        ui={ui}
        label={form?.value_label ?? t("manual_value")}
        value={record.value}
        id="record-value"
      />
      <p class="muted small">
        {record.priority !== null && `${t("manual_priority")} ${record.priority} · `}
        {record.ttl !== null && `${form?.ttl_label ?? t("manual_ttl")} ${record.ttl}`}
        {!isFull && (
          <>
            {record.ttl !== null && " · "}
            <span>{t("manual_full", { name: record.host })}</span>
          </>
        )}
      </p>
      {row.type === "ALIAS" && <p class="muted small">{t("manual_alias")}</p>}
      {observed !== null && (
        <p class="observed" dir="auto">
          {t("manual_observed", { value: observed })}
        </p>
      )}
    </li>
  );
}

function Status({ ui, status }: { readonly ui: Ui; readonly status: RecordRow["status"] }) {
  const tone = { found: "ok", waiting: "", different: "warn", checking: "" }[status];
  return (
    <span class={`chip status ${tone}`} data-testid="svc-record-status">
      {status === "found" ? <Icon path={checkIcon} /> : status !== "different" && <Spinner />}
      {ui.t(`manual_${status}`)}
    </span>
  );
}

function Tools({
  ui,
  rows,
  zone,
}: {
  readonly ui: Ui;
  readonly rows: readonly RecordRow[];
  readonly zone: string;
}) {
  const { state, t, send, locale } = ui;
  const { share, shareProblem, busy } = state;
  return (
    <div class="tools">
      <div class="tool-row">
        <Button
          id="download"
          onPress={() =>
            download(
              `${zone}.zone`,
              zoneFile(
                zone,
                rows.map(({ record }) => record),
              ),
            )
          }
        >
          <Icon path={downloadIcon} /> {t("manual_download")}
        </Button>
        <Button id="share" isBusy={busy === "share"} onPress={() => send({ type: "share_asked" })}>
          <Icon path={sendIcon} /> {t("manual_share")}
        </Button>
      </div>
      {share !== null && (
        <div class="card shared" data-testid="svc-shared">
          <p class="small">
            {t("manual_share_title", {
              date: new Date(share.expiresAt).toLocaleDateString(locale),
            })}
          </p>
          <Copyable ui={ui} label="URL" value={share.url} id="share-url" />
        </div>
      )}
      {shareProblem !== null && (
        <p class="hint wrong" role="alert" data-testid="svc-share-problem">
          {t("manual_share_problem")}
        </p>
      )}
    </div>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
