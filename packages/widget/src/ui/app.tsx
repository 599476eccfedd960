import type { Step } from "../events.ts";
import type { State } from "../machine/state.ts";
import type { Announcement } from "./announcer.ts";
import type { Later } from "./later.tsx";
import { closeIcon, Icon, Notice } from "./parts.tsx";
import type { Ui } from "./screen.tsx";
import { Checking, EnterDomain } from "./screens/first.tsx";

export interface AppProps {
  readonly ui: Ui;
  /** Null until they are loaded. */
  readonly later: Later | null;
  readonly isInline: boolean;
  readonly logoUrl: string | null;
  readonly hasBranding: boolean;
  /** The product's name is not known yet. */
  readonly isUnnamed: boolean;
  /** The latest announcement to screen readers. */
  readonly live: Announcement;
}

export function App({ ui, later, isInline, logoUrl, hasBranding, isUnnamed, live }: AppProps) {
  const { state, t } = ui;
  const { step, overlay } = state;
  const CurrentScreen = chooseScreen(ui.state, later);
  return (
    <div class={isUnnamed ? "panel is-unnamed" : "panel"} data-testid="svc-panel" data-step={step}>
      <div class="main" inert={overlay !== null}>
        <Header ui={ui} logoUrl={logoUrl} isInline={isInline} />
        {!state.isOnline && (
          <div class="banner">
            <Notice tone="warn" id="offline">
              <p>{t("offline")}</p>
            </Notice>
          </div>
        )}
        <div class="screen" key={screenKey(state)}>
          <CurrentScreen ui={ui} />
        </div>
        {hasBranding && <p class="branding">{t("branding", { name: "Mooring" })}</p>}
      </div>
      {later !== null && <later.Overlays ui={ui} />}
      <div class="sr-only" role="status" aria-live="polite" data-testid="svc-live">
        <span key={live.serial}>{live.text}</span>
      </div>
    </div>
  );
}

/** Each begins at its top: one is not scrolled to where the one before was. */
function screenKey({ step, isListing, removing, automatic }: State): string {
  return isListing ? `domains ${removing ?? ""}` : `${step} ${automatic.mode}`;
}

/** A customer who has domains sees them first. */
function chooseScreen({ step, busy, isListing }: State, later: Later | null) {
  if (busy === "list") return Checking;
  if (isListing && later !== null) return later.YourDomains;
  return { ...later?.screens, enter_domain: EnterDomain }[step] ?? Checking;
}

const stages = ["stage_domain", "stage_setup", "stage_check", "stage_live"] as const;

const stageNumbers: Readonly<Record<Step, number>> = {
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
  const at = state.isListing ? 0 : stageNumbers[state.step];
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
