import type { ConnectionDetail } from "@mooring/sdk";
import { earlyProofs, findZone, recordRows } from "../../connection-view.ts";
import { canSwitch, moveStatus } from "../../machine/cutover.ts";
import { canGoBack, offersAutomatic } from "../../machine/entry-and-exit.ts";
import type { Joined } from "../../machine/joined.ts";
import { isContested } from "../../machine/routing.ts";
import { findTrouble, type Trouble } from "../../machine/trouble.ts";
import { easyWays } from "../../machine/ways.ts";
import { Button, Notice } from "../parts.tsx";
import { parseRegion } from "../region.ts";
import { providerOf, Screen, shownDomain, type Ui } from "../screen.tsx";
import { CdnNote } from "./cdn-note.tsx";
import { CheckAnswer } from "./check-answer.tsx";
import { DiagnosisView } from "./in-progress.tsx";
import { ManualGuide } from "./manual-guide.tsx";
import { mailWarning, RemoveFirst, TroubleCard } from "./one-thing.tsx";
import { RecordCard } from "./record-card.tsx";
import { ShareTools } from "./share-tools.tsx";

export function ManualConfiguration({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { connection, records, check, proofs } = state;
  if (connection === null) return null;
  const rows = recordRows(connection, records, check, proofs);
  const zone = findZone(connection, check);
  const trouble = findTrouble(state);
  // One record is the screen; how to add it follows.
  const isAlone = rows.length === 1;
  return (
    <Screen
      title={titleText(ui, connection, trouble !== null, isAlone)}
      lede={ledeText(ui, zone, trouble)}
      actions={
        <>
          {canGoBack(state) && (
            <Button id="back" onPress={() => send({ type: "back" })}>
              {t("back")}
            </Button>
          )}
          {offersAutomatic(state) && (
            <Button variant="link" id="automatic" onPress={() => send({ type: "automatic_asked" })}>
              {t(easyWays(state.check).length > 0 ? "manual_automatic" : "way_api")}
            </Button>
          )}
          <Button
            variant="primary"
            id="check-now"
            isBusy={state.isChecking}
            onPress={() => send({ type: "check_asked" })}
          >
            {t("manual_check")}
          </Button>
        </>
      }
    >
      {trouble !== null && <TroubleCard ui={ui} trouble={trouble} />}
      <Refusal ui={ui} connection={connection} />
      <ContestNotice ui={ui} connection={connection} />
      {trouble === null && <CdnNote ui={ui} />}
      {trouble === null && !isAlone && <ManualGuide ui={ui} />}
      {trouble === null && <InTheWay ui={ui} />}
      <ul class="records" data-testid="svc-records">
        {rows.map((row) => (
          <RecordCard
            key={row.record.host + row.record.type + row.record.value}
            ui={ui}
            row={row}
            isAlone={isAlone}
          />
        ))}
      </ul>
      {trouble === null && isAlone && <ManualGuide ui={ui} />}
      <EarlyProof ui={ui} connection={connection} />
      <CheckAnswer ui={ui} />
      {trouble === null && state.asked !== null && <DiagnosisView ui={ui} />}
      <ShareTools ui={ui} rows={rows} zone={zone} />
      <p class="muted small">{t("manual_leave")}</p>
    </Screen>
  );
}

function titleText(
  { t }: Ui,
  connection: ConnectionDetail,
  isTrouble: boolean,
  isAlone: boolean,
): string {
  if (connection.contest) {
    return t(isContested(connection) ? "contest_title" : "contest_waits");
  }
  if (isTrouble) return t("fix_title");
  if (canSwitch(connection)) return t("switch_records");
  return t(isAlone ? "manual_title_one" : "manual_title");
}

/** A name that is in use can be proven while visitors still see the old site. */
function EarlyProof({ ui, connection }: { readonly ui: Ui; readonly connection: Joined }) {
  const { t, state } = ui;
  const rows = earlyProofs(connection, state.check);
  if (rows.length === 0) return null;
  return (
    <details class="early" data-testid="svc-early-proof">
      <summary>{t("manual_early")}</summary>
      <p class="muted small">{t("manual_early_lede", { domain: shownDomain(state) })}</p>
      <ul class="records">
        {rows.map((row) => (
          <RecordCard key={row.record.host} ui={ui} row={row} />
        ))}
      </ul>
    </details>
  );
}

function ledeText(
  { t, state, brand }: Ui,
  zone: string,
  trouble: Trouble | null,
): string | undefined {
  const { connection, check } = state;
  // What is to be done is not to add records.
  if (trouble?.code === "hostname_conflict") return t("fix_lede", { domain: shownDomain(state) });
  if (connection?.contest && !isContested(connection)) return undefined;
  const provider = check?.provider ?? null;
  if (moveStatus(connection) !== null) {
    const key = canSwitch(connection) ? "switch_records_lede" : "moving_records_lede";
    return t(key, { provider: provider ?? t("your_provider"), brand });
  }
  if (provider === null) return t("manual_lede_unknown", { zone });
  return t("manual_lede", { zone, provider });
}

/** What the check found in the way; it cannot stay beside the new records. */
function InTheWay({ ui }: { readonly ui: Ui }) {
  const { t, state } = ui;
  // Until the switch the old records stay.
  if (moveStatus(state.connection) === "preparing") return null;
  const old = canSwitch(state.connection) ? state.connection?.cutover?.old_records : undefined;
  const records = (old ?? state.check?.record_conflicts ?? []).filter(
    ({ host, value }) =>
      !state.records?.some((one) => one.host === host && (one.propagated || one.value === value)),
  );
  if (records.length === 0) return null;
  return (
    <Notice tone="warn" id="delete-first">
      <RemoveFirst
        Heading="h3"
        title={t("manual_delete_first")}
        records={records}
        warning={mailWarning(ui, records)}
      />
    </Notice>
  );
}

function Refusal({ ui, connection }: { readonly ui: Ui; readonly connection: ConnectionDetail }) {
  const { error_code: code } = connection;
  if (code !== "provider_rate_limited" && code !== "provider_unavailable") return null;
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
  if (!contest) return null;
  const isHolder = isContested(connection);
  const key = isHolder ? "contest_holder" : "contest_prover";
  const shape = { dateStyle: "medium", timeStyle: "short" } as const;
  const time = new Date(contest.deadline).toLocaleString(parseRegion(locale), shape);
  return (
    <Notice tone={isHolder ? "warn" : "info"} id="contest">
      <p>{t(key, { domain, time })}</p>
    </Notice>
  );
}
