import type { Step } from "../events.ts";
import type { Child } from "../jsx-runtime.ts";
import type { Later } from "./later.tsx";
import { Button, closeIcon, Icon, Notice } from "./parts.tsx";
import { domainOf, type Ui } from "./screen.tsx";
import { Checking, DomainAnalysis, EnterDomain } from "./screens/first.tsx";

export interface AppProps {
  readonly ui: Ui;
  /** Null until they are loaded. */
  readonly later: Later | null;
  readonly isInline: boolean;
  readonly logoUrl: string | null;
  readonly hasBranding: boolean;
  /** The latest announcement to screen readers. */
  readonly live: string;
}

const firstScreens = {
  enter_domain: EnterDomain,
  domain_analysis: DomainAnalysis,
} as const;

export function App({ ui, later, isInline, logoUrl, hasBranding, live }: AppProps) {
  const { state, t } = ui;
  const { step, overlay } = state;
  const CurrentScreen = { ...later?.screens, ...firstScreens }[step] ?? Checking;
  return (
    <div class="panel" data-testid="svc-panel" data-step={step}>
      <div class="main" inert={overlay !== null}>
        <Header ui={ui} logoUrl={logoUrl} isInline={isInline} />
        {!state.isOnline && (
          <div class="banner">
            <Notice tone="warn" id="offline">
              <p>{t("offline")}</p>
            </Notice>
          </div>
        )}
        <div class="screen" key={step}>
          <CurrentScreen ui={ui} />
        </div>
        {hasBranding && <p class="branding">{t("branding", { name: "Mooring" })}</p>}
      </div>
      <Overlays ui={ui} />
      <div class="sr-only" role="status" aria-live="polite" data-testid="svc-live">
        {live}
      </div>
    </div>
  );
}

const stages = ["stage_domain", "stage_setup", "stage_check", "stage_live"] as const;

const stageOf: Readonly<Record<Step, number>> = {
  enter_domain: 1,
  domain_analysis: 1,
  automatic_setup: 2,
  manual_configuration: 2,
  in_progress: 3,
  email: 4,
  success: 4,
  error: 0,
};

function Header({
  ui,
  logoUrl,
  isInline,
}: {
  readonly ui: Ui;
  readonly logoUrl: string | null;
  readonly isInline: boolean;
}) {
  const { state, t, send, brand } = ui;
  const at = stageOf[state.step];
  const stage = stages[at - 1];
  return (
    <header class="header">
      <div class="header-row">
        {logoUrl === null ? (
          <span class="brand">{brand}</span>
        ) : (
          <img class="logo" src={logoUrl} alt={brand} referrerpolicy="no-referrer" />
        )}
        {!isInline && (
          <button
            type="button"
            class="close"
            data-testid="svc-close"
            aria-label={t("close")}
            onClick={() => send({ type: "close_asked" })}
          >
            <Icon path={closeIcon} />
          </button>
        )}
      </div>
      {stage !== undefined && (
        <div class="track" data-testid="svc-track">
          <span class="sr-only">{t("stage_of", { at, all: stages.length, name: t(stage) })}</span>
          {stages.map((name, index) => (
            <span
              key={name}
              class={index < at ? "segment is-done" : "segment"}
              aria-hidden="true"
            />
          ))}
        </div>
      )}
    </header>
  );
}

function Overlays({ ui }: { readonly ui: Ui }) {
  const { overlay } = ui.state;
  if (overlay === "exit") return <ExitConfirmation ui={ui} />;
  return overlay === "expired" ? <SessionExpired ui={ui} /> : null;
}

function ExitConfirmation({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  return (
    <Overlay
      id="exit"
      title={t("exit_title")}
      lede={t("exit_lede", { domain: domainOf(state) })}
      actions={
        <>
          <Button id="exit-leave" onPress={() => send({ type: "left" })}>
            {t("exit_leave")}
          </Button>
          <Button variant="primary" id="exit-stay" onPress={() => send({ type: "stayed" })}>
            {t("exit_stay")}
          </Button>
        </>
      }
    />
  );
}

function SessionExpired({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { canRenew } = state.setting;
  return (
    <Overlay
      id="expired"
      title={t("expired_title")}
      lede={t("expired_lede")}
      actions={
        <>
          <Button
            variant={canRenew ? "quiet" : "primary"}
            id="expired-close"
            onPress={() => send({ type: "left" })}
          >
            {t("close")}
          </Button>
          {canRenew && (
            <Button
              variant="primary"
              id="expired-renew"
              isBusy={state.isRenewing}
              onPress={() => send({ type: "renew_asked" })}
            >
              {t("expired_renew")}
            </Button>
          )}
        </>
      }
    />
  );
}

function Overlay({
  id,
  title,
  lede,
  actions,
}: {
  readonly id: string;
  readonly title: string;
  readonly lede: string;
  readonly actions: Child;
}) {
  return (
    <div class="overlay">
      <div
        class="overlay-box"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="svc-overlay-title"
        aria-describedby="svc-overlay-lede"
        data-testid={`svc-overlay-${id}`}
      >
        <h2 class="title" id="svc-overlay-title">
          {title}
        </h2>
        <p class="lede" id="svc-overlay-lede">
          {lede}
        </p>
        <div class="actions">{actions}</div>
      </div>
    </div>
  );
}
