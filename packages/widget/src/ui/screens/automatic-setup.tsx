import { isSignedIn } from "../../machine/automating.ts";
import { partsOf } from "../../machine/joined.ts";
import type { State } from "../../machine/state.ts";
import { type SetupWay, setupWays } from "../../machine/ways.ts";
import { toUnicode } from "../../unicode-name.ts";
import {
  Button,
  Icon,
  keyIcon,
  listIcon,
  outIcon,
  Spinner,
  shieldIcon,
  warnIcon,
} from "../parts.tsx";
import { providerOf, Screen, shownDomain, type Ui } from "../screen.tsx";
import { CredentialForm } from "./credential-setup.tsx";
import { PlanPreview } from "./plan-preview.tsx";
import { SetupProblem } from "./setup-problem.tsx";

export function AutomaticSetup({ ui }: { readonly ui: Ui }) {
  const { automatic, busy } = ui.state;
  const isReading = automatic.mode !== "plan" && busy === "plan";
  const isStored = isReading && (automatic.credential === null || isSignedIn(automatic));
  if (isStored || (automatic.credential === "stored" && busy === "apply"))
    return <Stored ui={ui} />;
  switch (automatic.mode) {
    case "credential":
      return <CredentialForm ui={ui} />;
    case "plan":
      return <PlanPreview ui={ui} />;
    case "popup":
      return <PopupWait ui={ui} />;
    default:
      return <Choice ui={ui} />;
  }
}

function providerLabel(state: State): string {
  return state.automatic.popup?.providerName ?? providerOf(state) ?? "DNS";
}

function Stored({ ui }: { readonly ui: Ui }) {
  const { state, t } = ui;
  return (
    <Screen
      title={t("automatic_stored", { domain: shownDomain(state) })}
      lede={t("automatic_stored_lede", { provider: providerLabel(state) })}
    >
      <div class="pending">
        <Spinner />
      </div>
    </Screen>
  );
}

/** One name of a pair is approved: the other comes next. */
function nextText({ state, t }: Ui): string | null {
  const { connection, automatic } = state;
  const parts = connection === null ? [] : partsOf(connection);
  const done = parts.find(({ id }) => automatic.consented.includes(id));
  const next = parts.find(({ id }) => !automatic.consented.includes(id));
  if (done === undefined || next === undefined) return null;
  return t("pair_next", { done: toUnicode(done.hostname), domain: toUnicode(next.hostname) });
}

/** The provider has no template for both names of a pair. */
function oneAtATime({ state, t }: Ui): string | null {
  const { connection, automatic } = state;
  const parts = connection === null ? [] : partsOf(connection);
  const { consented, popup } = automatic;
  const covers = popup?.covers ?? [];
  const now = parts.find(({ id }) => covers.includes(id));
  const later = parts.find(({ id }) => !covers.includes(id) && !consented.includes(id));
  if (now === undefined || later === undefined) return null;
  return t("pair_one_by_one", {
    domain: toUnicode(now.hostname),
    other: toUnicode(later.hostname),
  });
}

function Choice({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const provider = providerLabel(state);
  const ways = setupWays(state.check);
  return (
    <Screen
      title={t("automatic_title")}
      lede={nextText(ui) ?? t("automatic_lede", { provider, domain: shownDomain(state) })}
      actions={
        <Button variant="quiet back" id="back" onPress={() => send({ type: "back" })}>
          {t("back")}
        </Button>
      }
    >
      <SetupProblem ui={ui} />
      <div class="options">
        {ways.map((way, index) => (
          <WayOption key={way} ui={ui} way={way} isFirst={index === 0} />
        ))}
      </div>
    </Screen>
  );
}

/** A way to set the records; they come in the order of what they cost the customer. */
function WayOption({
  ui,
  way,
  isFirst,
}: {
  readonly ui: Ui;
  readonly way: SetupWay;
  readonly isFirst: boolean;
}) {
  const { state, t, send } = ui;
  const provider = providerLabel(state);
  const { method, icon, title, lede } = appearances[way];
  const isRetained = way === "oauth" && state.settings?.features.oauth_retained === true;
  const minute = way === "token" ? { badge: t("way_minute") } : {};
  return (
    <Option
      id={`method-${method.replace("_", "-")}`}
      icon={icon}
      title={t(title, { provider })}
      lede={t(isRetained ? "oauth_sign_in_retained_lede" : lede, { provider })}
      {...(isFirst ? { badge: t("automatic_recommended") } : minute)}
      onPress={() => send({ type: "method_chosen", method })}
    />
  );
}

const appearances = {
  domain_connect: {
    method: "domain_connect",
    icon: shieldIcon,
    title: "automatic_consent",
    lede: "automatic_consent_lede",
  },
  oauth: {
    method: "oauth",
    icon: shieldIcon,
    title: "oauth_sign_in",
    lede: "oauth_sign_in_lede",
  },
  token: {
    method: "credential",
    icon: keyIcon,
    title: "automatic_token",
    lede: "automatic_token_lede",
  },
  manual: { method: "manual", icon: listIcon, title: "way_manual", lede: "way_manual_lede" },
  api: { method: "credential", icon: keyIcon, title: "way_api", lede: "way_api_lede" },
} as const;

interface OptionProps {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  readonly lede: string;
  readonly badge?: string;
  readonly onPress: () => void;
}

function Option({ id, icon, title, lede, badge, onPress }: OptionProps) {
  return (
    <button type="button" class="card option" data-testid={`svc-${id}`} onClick={onPress}>
      <span class="tile">
        <Icon path={icon} />
      </span>
      <span class="grow">
        <span class="option-title">
          <strong>{title}</strong>
          {badge !== undefined && <span class="chip ok">{badge}</span>}
        </span>
        <span class="muted">{lede}</span>
      </span>
    </button>
  );
}

const popupTexts = {
  starting: "popup_starting",
  open: "popup_open",
  closed: "popup_closed",
  blocked: "popup_blocked",
  denied: "popup_denied",
  returned: "popup_starting",
} as const;

function PopupWait({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const provider = providerLabel(state);
  const { popup } = state.automatic;
  const status = popup?.status ?? "starting";
  const isWaiting = status === "starting" || status === "open";
  const oneByOne = oneAtATime(ui);
  return (
    <Screen
      title={t("popup_title", { provider })}
      actions={
        <>
          <Button variant="quiet back" id="back" onPress={() => send({ type: "back" })}>
            {t("back")}
          </Button>
          <Button
            variant={isWaiting ? "quiet" : "primary"}
            id="open-popup"
            isDisabled={status === "starting"}
            onPress={() =>
              send({ type: "method_chosen", method: popup?.method ?? "domain_connect" })
            }
          >
            <Icon path={outIcon} />{" "}
            {status === "blocked" ? t("popup_open_now", { provider }) : t("popup_open_again")}
          </Button>
        </>
      }
    >
      <div class="card popup" data-testid="svc-popup" data-status={status}>
        {isWaiting ? <Spinner /> : <Icon path={status === "denied" ? warnIcon : outIcon} />}
        <p>{t(popupTexts[status], { provider })}</p>
      </div>
      {oneByOne !== null && (
        <p class="muted" data-testid="svc-one-by-one">
          {oneByOne}
        </p>
      )}
    </Screen>
  );
}
