import { hasOwnershipStep, pendingRows } from "../../connection-view.ts";
import type { FailureKind } from "../../machine/state.ts";
import { Button, checkIcon, Icon, Notice, outIcon, warnIcon } from "../parts.tsx";
import { Screen, shownDomain, type Ui } from "../screen.tsx";
import { CdnNote } from "./cdn-note.tsx";
import { OldServer } from "./moving.tsx";
import { RecordCard } from "./record-card.tsx";

export function Success({ ui }: { readonly ui: Ui }) {
  const { state, t, send, brand, visitUrl } = ui;
  const domain = shownDomain(state);
  const { check, setting } = state;
  // There is no one page of a wildcard.
  const isWildcard = domain.startsWith("*.");
  const moving = pendingRows(state.connection, check);
  const www = `www.${domain}`;
  const isAlone = state.connection?.pair === undefined;
  const mayAdd = setting.boundDomain === null && isAlone;
  const offersWww = check?.www_redirect_recommended === true && mayAdd;
  return (
    <Screen
      title={t("success_title", { domain })}
      lede={t("success_lede", { brand })}
      art={
        <div class="celebrate" aria-hidden="true">
          <Icon path={checkIcon} />
        </div>
      }
      actions={
        <>
          {!isWildcard && (
            <a
              class="button quiet"
              href={visitUrl(domain)}
              target="_blank"
              rel="noopener noreferrer"
              data-testid="svc-visit"
            >
              {t("success_visit", { domain })} <Icon path={outIcon} />
              <span class="sr-only">({t("opens_new_window")})</span>
            </a>
          )}
          <Button variant="primary" id="done" onPress={() => send({ type: "close_asked" })}>
            {t("success_done")}
          </Button>
        </>
      }
    >
      {moving.length > 0 && (
        <>
          <Notice tone="warn" id="moving">
            <p>{t("success_moving", { domain })}</p>
          </Notice>
          <ul class="records" data-testid="svc-records">
            {moving.map((row) => (
              <RecordCard key={row.record.host + row.record.type} ui={ui} row={row} />
            ))}
          </ul>
        </>
      )}
      {(state.connection?.proxied ?? null) !== null && <CdnNote ui={ui} />}
      <OldServer ui={ui} cutover={state.connection?.cutover ?? null} />
      {offersWww && (
        <div class="card www">
          <p class="grow muted">{t("success_www_lede")}</p>
          <Button id="connect-www" onPress={() => send({ type: "restarted", domain: www })}>
            {t("success_www", { domain: www })}
          </Button>
        </div>
      )}
    </Screen>
  );
}

/** The offered action: `retry` repeats the call, `restart` starts with a domain. */
const remedies: Readonly<Record<FailureKind, "retry" | "restart" | "fix" | "again" | "prove">> = {
  archived: "again",
  conflict: "prove",
  drifted: "fix",
  failed: "again",
  internal: "retry",
  not_found: "restart",
  not_set_up: "retry",
  quota: "retry",
  unreachable: "retry",
};

export function ErrorScreen({ ui }: { readonly ui: Ui }) {
  const { state, t, brand } = ui;
  const kind = state.failure?.kind ?? "internal";
  const domain = shownDomain(state);
  const ref = kind === "internal" ? (state.failure?.problem?.ref ?? null) : null;
  const reason = kind === "failed" ? reasonText(ui) : null;
  return (
    <Screen
      title={t(`error_${kind}`, { domain })}
      lede={t(`error_${kind}_lede`, { domain, brand })}
      actions={<Remedy ui={ui} kind={kind} />}
      art={
        <div class="trouble" aria-hidden="true" data-testid="svc-error" data-kind={kind}>
          <Icon path={warnIcon} />
        </div>
      }
    >
      {reason !== null && <p class="lede">{reason}</p>}
      {ref !== null && <p class="muted small">{t("error_ref", { ref })}</p>}
    </Screen>
  );
}

const reasons = {
  ownership_timeout: "failed_ownership",
  propagation_timeout: "failed_records",
  certificate_timeout: "failed_certificate",
} as const;

function reasonText({ state, t }: Ui): string | null {
  const { connection } = state;
  const code = connection?.error_code ?? null;
  if (connection === null || code === null || !(code in reasons)) return null;
  const isOneStep = code === "ownership_timeout" && !hasOwnershipStep(connection);
  return t(isOneStep ? "failed_records" : reasons[asTimeout(code)]);
}

/** Only called with a key of `reasons`. */
function asTimeout(code: string): keyof typeof reasons {
  return code as keyof typeof reasons;
}

function Remedy({ ui, kind }: { readonly ui: Ui; readonly kind: FailureKind }) {
  const { t, send } = ui;
  const close = (
    <Button id="close-error" onPress={() => send({ type: "close_asked" })}>
      {t("close")}
    </Button>
  );
  switch (remedies[kind]) {
    case "fix":
      return (
        <>
          <Button variant="link" id="show-records" onPress={() => send({ type: "records_asked" })}>
            {t("progress_show_records")}
          </Button>
          <Button variant="primary" id="fix" onPress={() => send({ type: "retried" })}>
            {t("error_fix")}
          </Button>
        </>
      );
    case "prove":
      return (
        <>
          <Button
            variant="link"
            id="restart"
            onPress={() => send({ type: "restarted", domain: "" })}
          >
            {t("analysis_other")}
          </Button>
          <Button variant="primary" id="prove" onPress={() => send({ type: "retried" })}>
            {t("error_prove")}
          </Button>
        </>
      );
    case "restart":
      return (
        <>
          {close}
          <Button
            variant="primary"
            id="restart"
            onPress={() => send({ type: "restarted", domain: "" })}
          >
            {t("analysis_other")}
          </Button>
        </>
      );
    default:
      return (
        <>
          {close}
          <Button variant="primary" id="retry" onPress={() => send({ type: "retried" })}>
            {t(remedies[kind] === "again" ? "error_restart" : "retry")}
          </Button>
        </>
      );
  }
}
