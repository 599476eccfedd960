import type { DomainCheck } from "@mooring/sdk";
import { readDomain } from "../../domain-name.ts";
import type { State } from "../../machine/state.ts";
import {
  Button,
  checkIcon,
  globeIcon,
  Icon,
  Notice,
  RecordLine,
  shieldIcon,
  Tile,
} from "../parts.tsx";
import { domainOf, Screen, type Ui } from "../screen.tsx";

export function EnterDomain({ ui }: { readonly ui: Ui }) {
  const { state, t, send, brand } = ui;
  const problem = problemText(ui);
  const submit = (event: Event) => {
    event.preventDefault();
    send({ type: "submitted" });
  };
  return (
    <form class="form" noValidate onSubmit={submit} data-testid="svc-domain-form">
      <Screen
        title={t("enter_title")}
        lede={t("enter_lede", { brand })}
        actions={
          <Button variant="primary" id="continue" isSubmit>
            {t("continue")}
          </Button>
        }
      >
        <div class={problem === null ? "field big" : "field big is-wrong"}>
          <label for="svc-domain">{t("enter_label")}</label>
          <div class="input">
            <Icon path={globeIcon} />
            <input
              id="svc-domain"
              data-testid="svc-domain"
              dir="ltr"
              type="text"
              inputMode="url"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              placeholder={t("enter_placeholder")}
              value={state.input}
              aria-describedby="svc-domain-hint"
              aria-invalid={problem !== null}
              onInput={(event) => send({ type: "typed", text: event.currentTarget.value })}
            />
          </div>
          <p
            id="svc-domain-hint"
            class={problem === null ? "hint" : "hint wrong"}
            data-testid={problem === null ? "svc-domain-hint" : "svc-domain-problem"}
          >
            {problem ?? hintText(ui)}
          </p>
        </div>
      </Screen>
    </form>
  );
}

/** A definite problem is shown while typing, others only after submitting. */
function problemText({ state, t }: Ui): string | null {
  const { inputProblem } = state;
  if (inputProblem !== null) {
    if ("text" in inputProblem) return inputProblem.text;
    return t(`problem_${inputProblem.key}`, { domain: state.setting.boundDomain ?? "" });
  }
  const read = readDomain(state.input);
  return read.outcome === "problem" && read.isDefinite ? t(`problem_${read.problem}`) : null;
}

function hintText({ state, t, brand }: Ui): string {
  const read = readDomain(state.input);
  if (read.outcome !== "ok") return t("enter_hint");
  const domain = shownName(state, read.hostname);
  return t(read.shape === "apex" ? "enter_apex" : "enter_subdomain", { domain, brand });
}

/** Shows the typed Unicode form instead of its A-labels. */
function shownName({ input }: State, hostname: string): string {
  return hostname.includes("xn--") ? input.trim() : hostname;
}

export function DomainAnalysis({ ui }: { readonly ui: Ui }) {
  const { check, busy } = ui.state;
  if (check === null || busy === "check" || busy === "load") return <Checking ui={ui} />;
  return check.registered ? <Found ui={ui} check={check} /> : <Unregistered ui={ui} />;
}

/** The placeholder while a check, a connection or the later screens load. */
export function Checking({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const isResuming = state.busy !== "check";
  return (
    <Screen
      title={
        isResuming ? t("analysis_resuming") : t("analysis_checking", { domain: domainOf(state) })
      }
      lede={isResuming ? t("loading") : t("analysis_checking_lede")}
      actions={
        isResuming ? undefined : (
          <Button id="back" onPress={() => send({ type: "back" })}>
            {t("back")}
          </Button>
        )
      }
    >
      <div class="skeletons" aria-hidden="true" data-testid="svc-checking">
        <div class="skeleton tall" />
        <div class="skeleton" />
        <div class="skeleton short" />
      </div>
    </Screen>
  );
}

function Unregistered({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const domain = state.check?.registrable_domain ?? "";
  return (
    <Screen
      title={t("analysis_unregistered", { domain })}
      lede={t("analysis_unregistered_lede")}
      actions={
        <>
          <Button
            id="continue-anyway"
            isBusy={state.busy === "create"}
            onPress={() => send({ type: "continued", way: "manual" })}
          >
            {t("analysis_anyway")}
          </Button>
          <Button variant="primary" id="back" onPress={() => send({ type: "back" })}>
            {t("analysis_other")}
          </Button>
        </>
      }
    />
  );
}

function Found({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t } = ui;
  return (
    <Screen title={t("analysis_title")} actions={<FoundActions ui={ui} check={check} />}>
      <ProviderCard ui={ui} check={check} />
      <Changes ui={ui} check={check} />
      <Conflicts ui={ui} check={check} />
      <Warnings ui={ui} check={check} />
    </Screen>
  );
}

function FoundActions({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t, state, send } = ui;
  const isBusy = state.busy === "create";
  const isAutomatic = check.auto_configurable;
  return (
    <>
      <Button id="back" isDisabled={isBusy} onPress={() => send({ type: "back" })}>
        {t("back")}
      </Button>
      {isAutomatic && (
        <Button
          variant="link"
          id="by-hand"
          isDisabled={isBusy}
          onPress={() => send({ type: "continued", way: "manual" })}
        >
          {t("analysis_by_hand")}
        </Button>
      )}
      <Button
        variant="primary"
        id="continue"
        isBusy={isBusy}
        onPress={() => send({ type: "continued", way: isAutomatic ? "automatic" : "manual" })}
      >
        {t("continue")}
      </Button>
    </>
  );
}

function ProviderCard({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t } = ui;
  const { provider } = check;
  return (
    <div class="card provider" data-testid="svc-provider" data-provider={check.provider_slug ?? ""}>
      <Tile name={provider ?? "?"} />
      <div class="grow">
        <span class="option-title">
          <strong>{provider ?? t("analysis_unknown")}</strong>
          <span class={check.auto_configurable ? "chip ok" : "chip"} data-testid="svc-setup-type">
            {t(check.auto_configurable ? "analysis_automatic" : "analysis_manual")}
          </span>
        </span>
        <span class="muted">
          {provider === null
            ? t("analysis_unknown_lede")
            : t("analysis_provider", { domain: check.registrable_domain })}
        </span>
      </div>
    </div>
  );
}

function Changes({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t, brand } = ui;
  const { domain, apex } = check;
  return (
    <section class="block">
      <h3>{t("analysis_changes")}</h3>
      <ul class="ticks">
        <li>
          <Icon path={shieldIcon} /> {t("analysis_change_proof")}
        </li>
        <li>
          <Icon path={globeIcon} />{" "}
          {t(apex ? "analysis_change_apex" : "analysis_change_subdomain", { domain, brand })}
        </li>
        <li>
          <Icon path={checkIcon} /> {t("analysis_change_rest")}
        </li>
      </ul>
    </section>
  );
}

function Conflicts({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t } = ui;
  if (check.record_conflicts.length === 0) return null;
  return (
    <Notice tone="warn" title={t("analysis_conflicts")} id="conflicts">
      <p>{t("analysis_conflicts_lede")}</p>
      <ul class="lines">
        {check.record_conflicts.map((record) => (
          <li key={record.host + record.type + record.value}>
            <RecordLine record={record} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Warnings({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t } = ui;
  if (check.warnings.length === 0) return null;
  return (
    <Notice tone="info" title={t("analysis_notes")} id="warnings">
      <ul class="plain" lang="en">
        {check.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
