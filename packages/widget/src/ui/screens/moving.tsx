import type { ConnectionDetail, Cutover } from "@mooring/sdk";
import { canSwitch, findBlockers } from "../../machine/cutover.ts";
import { movingName, offersCutover, wantsCutover } from "../../machine/pairing.ts";
import { easyWays, hasCredential } from "../../machine/ways.ts";
import { toUnicode } from "../../unicode-name.ts";
import { Button, checkIcon, clockIcon, Icon, Notice, Spinner, warnIcon } from "../parts.tsx";
import { parseRegion } from "../region.ts";
import { Screen, shownDomain, type Ui } from "../screen.tsx";
import { AccessAgain } from "./access-again.tsx";

/** A name that serves visitors elsewhere: prepared first, or switched right away. */
export function MoveChoice({ ui }: { readonly ui: Ui }) {
  const { state, t, brand } = ui;
  if (!offersCutover(state)) return null;
  const domain = toUnicode(movingName(state) ?? shownDomain(state));
  return (
    <fieldset class="block pair" data-testid="svc-move">
      <legend>{t("moving_title", { domain })}</legend>
      <p class="muted small">{t("moving_lede", { brand })}</p>
      <Choice ui={ui} isWanted={true} title={t("moving_prepare")} lede={t("moving_prepare_lede")} />
      <Choice ui={ui} isWanted={false} title={t("moving_direct")} lede={t("moving_direct_lede")} />
    </fieldset>
  );
}

function Choice({
  ui,
  isWanted,
  title,
  lede,
}: {
  readonly ui: Ui;
  readonly isWanted: boolean;
  readonly title: string;
  readonly lede: string;
}) {
  return (
    <label class="pair-option">
      <input
        type="radio"
        name="svc-move"
        data-testid={isWanted ? "svc-move-prepare" : "svc-move-direct"}
        checked={wantsCutover(ui.state) === isWanted}
        onChange={() => ui.send({ type: "cutover_chosen", isWanted })}
      />
      <span>
        {title}
        <span class="muted small option-lede">{lede}</span>
      </span>
    </label>
  );
}

/** The move of a name: preparing, ready, switching. */
export function Moving({
  ui,
  connection,
}: {
  readonly ui: Ui;
  readonly connection: ConnectionDetail;
}) {
  const { cutover } = connection;
  if (cutover === null) return null;
  if (cutover.status === "switching") return <Switching ui={ui} cutover={cutover} />;
  return canSwitch(connection) ? (
    <Ready ui={ui} connection={connection} cutover={cutover} />
  ) : (
    <Preparing ui={ui} cutover={cutover} />
  );
}

interface MoveProps {
  readonly ui: Ui;
  readonly cutover: Cutover;
}

function Preparing({ ui, cutover }: MoveProps) {
  const { t, send, state } = ui;
  return (
    <Screen
      title={t("prepare_title")}
      lede={t("prepare_lede", { domain: shownDomain(state) })}
      actions={
        <>
          <Button variant="link" id="show-records" onPress={() => send({ type: "records_asked" })}>
            {t("progress_show_records")}
          </Button>
          <Button id="close-later" onPress={() => send({ type: "close_asked" })}>
            {t("close")}
          </Button>
        </>
      }
    >
      <Checks ui={ui} cutover={cutover} />
      <Blocker ui={ui} cutover={cutover} />
      <p class="muted small">
        <Icon path={clockIcon} /> {t("progress_leave")}
      </p>
    </Screen>
  );
}

function Ready({ ui, connection, cutover }: MoveProps & { readonly connection: ConnectionDetail }) {
  const { t, send, state } = ui;
  const isBlocked = findBlockers(connection, state.acceptsOrigin).length > 0;
  const canWrite = easyWays(state.check).length > 0 || hasCredential(state.check);
  const switchBy = (way: "automatic" | "manual") => send({ type: "switch_asked", way });
  return (
    <Screen
      title={t("ready_title")}
      lede={t("ready_lede", { domain: shownDomain(state) })}
      actions={
        <>
          {canWrite && (
            <Button
              variant="link"
              id="switch-by-hand"
              isDisabled={isBlocked}
              onPress={() => switchBy("manual")}
            >
              {t("ready_by_hand")}
            </Button>
          )}
          <Button
            variant="primary"
            id="switch"
            isDisabled={isBlocked}
            onPress={() => switchBy(canWrite ? "automatic" : "manual")}
          >
            {t(canWrite ? "ready_switch" : "ready_by_hand")}
          </Button>
        </>
      }
    >
      <Difference ui={ui} cutover={cutover} />
      <Blocker ui={ui} cutover={cutover} />
      <Checks ui={ui} cutover={cutover} />
      <AccessAgain ui={ui} lede="access_again_switch" />
      <p class="muted small">
        <Icon path={clockIcon} /> {t("ready_later")}
      </p>
    </Screen>
  );
}

function Switching({ ui, cutover }: MoveProps) {
  const { t, brand, send } = ui;
  return (
    <Screen
      title={t("switching_title", { brand })}
      lede={t("switching_lede")}
      actions={
        <Button id="close-later" onPress={() => send({ type: "close_asked" })}>
          {t("close")}
        </Button>
      }
    >
      <p class="diagnosing" data-testid="svc-switching">
        <Spinner /> {t("progress_records_active")}
      </p>
      <OldServer ui={ui} cutover={cutover} />
    </Screen>
  );
}

/** Until when caches lead visitors to the old place; also on the last screen. */
export function OldServer({ ui, cutover }: { readonly ui: Ui; readonly cutover: Cutover | null }) {
  const gone = cutover?.visitors_gone_at ?? null;
  if (gone === null || Date.parse(gone) < Date.now()) return null;
  const shape = { dateStyle: "medium", timeStyle: "short" } as const;
  const time = new Date(gone).toLocaleString(parseRegion(ui.locale), shape);
  return (
    <Notice tone="info" id="old-server">
      <p>{ui.t("old_server", { time })}</p>
    </Notice>
  );
}

function Checks({ ui, cutover }: MoveProps) {
  return (
    <ol class="stages" data-testid="svc-move-checks">
      {cutover.checks.map((check) =>
        check.not_compared === undefined ? (
          <CheckStage key={check.code} ui={ui} check={check} />
        ) : (
          <NotCompared key={check.code} ui={ui} reason={check.not_compared} />
        ),
      )}
    </ol>
  );
}

type Check = Cutover["checks"][number];

function CheckStage({ ui, check: { code, ok } }: { readonly ui: Ui; readonly check: Check }) {
  const { t, brand } = ui;
  const stop = ok ? undefined : stops[code];
  return (
    <li
      class={`stage ${ok ? "done" : stop === undefined ? "active" : "stopped"}`}
      data-testid={`svc-move-${code}`}
      data-status={ok ? "done" : "open"}
    >
      <span class="stage-mark">
        {ok ? (
          <Icon path={checkIcon} />
        ) : stop === undefined ? (
          <Spinner />
        ) : (
          <Icon path={warnIcon} />
        )}
      </span>
      <span class="grow">
        <strong>{t(stop ?? `check_${code}`, { brand })}</strong>
        {stop === undefined && (
          <span class="sr-only"> {t(ok ? "progress_done" : "check_open")}</span>
        )}
      </span>
    </li>
  );
}

/** No success, and nothing in the way: only the customer can compare. */
function NotCompared({
  ui,
  reason,
}: {
  readonly ui: Ui;
  readonly reason: NonNullable<Check["not_compared"]>;
}) {
  return (
    <li class="stage" data-testid="svc-move-origin" data-status="not_compared">
      <span class="stage-mark">
        <Icon path={warnIcon} />
      </span>
      <span class="grow">
        <strong>{ui.t("check_not_compared")}</strong>
        <span class="muted small option-lede">{ui.t(`not_compared_${reason}`)}</span>
      </span>
    </li>
  );
}

/** Nothing is under way for these: a person has to decide or act. */
const stops: Readonly<Partial<Record<Check["code"], "differs_title" | "check_mail_stops">>> = {
  origin: "differs_title",
  mail: "check_mail_stops",
};

function isOpen({ checks }: Cutover, code: Cutover["checks"][number]["code"]): boolean {
  return checks.some((check) => check.code === code && !check.ok);
}

function Difference({ ui, cutover }: MoveProps) {
  const { t, brand, state, send } = ui;
  if (!isOpen(cutover, "origin")) return null;
  return (
    <Notice tone="warn" title={t("differs_title")} id="differs">
      <p>{t("differs_lede", { brand })}</p>
      <label class="pair-option">
        <input
          type="checkbox"
          data-testid="svc-accept-origin"
          checked={state.acceptsOrigin}
          onChange={() => send({ type: "origin_accepted", isGiven: !state.acceptsOrigin })}
        />
        <span>{t("differs_accept")}</span>
      </label>
    </Notice>
  );
}

function Blocker({ ui, cutover }: MoveProps) {
  if (!isOpen(cutover, "mail")) return null;
  return (
    <Notice tone="warn" id="move-mail">
      <p>{ui.t("mail_blocks", { brand: ui.brand })}</p>
    </Notice>
  );
}
