import { readDomain } from "../../domain-name.ts";
import { offersWildcard } from "../../machine/pairing.ts";
import type { State } from "../../machine/state.ts";
import { Button, globeIcon, Icon } from "../parts.tsx";
import { Screen, shownDomain, type Ui } from "../screen.tsx";

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
          <>
            {state.domains.length > 0 && (
              <Button id="your-domains" onPress={() => send({ type: "domains_asked" })}>
                {t("domains_show")}
              </Button>
            )}
            <Button variant="primary" id="continue" isSubmit>
              {t("continue")}
            </Button>
          </>
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
          <Meant ui={ui} />
        </div>
      </Screen>
    </form>
  );
}

/** A likely slip, as a question: nothing is changed unless the person says so. */
function Meant({ ui: { state, t, send, didYouMean } }: { readonly ui: Ui }) {
  const domain = didYouMean(state.input);
  if (domain === null) return null;
  return (
    <p class="meant" aria-live="polite">
      <Button
        variant="link"
        id="did-you-mean"
        onPress={() => send({ type: "typed", text: domain })}
      >
        {t("did_you_mean", { domain })}
      </Button>
    </p>
  );
}

/** A definite problem is shown while typing, others only after submitting. */
function problemText({ state, t, brand }: Ui): string | null {
  const { inputProblem } = state;
  if (inputProblem !== null) {
    return t(`problem_${inputProblem.key}`, { domain: state.setting.boundDomain ?? "", brand });
  }
  const read = readDomain(state.input, offersWildcard(state));
  const isShown = read.outcome === "problem" && read.isDefinite;
  return isShown ? t(`problem_${read.problem}`, { brand }) : null;
}

function hintText({ state, t, brand }: Ui): string {
  const read = readDomain(state.input, offersWildcard(state));
  if (read.outcome !== "ok") return t("enter_hint");
  const domain = shownName(state, read.hostname);
  return t(read.shape === "apex" ? "enter_apex" : "enter_subdomain", { domain, brand });
}

/** Shows the typed Unicode form instead of its A-labels. */
function shownName({ input }: State, hostname: string): string {
  return hostname.includes("xn--") ? input.trim() : hostname;
}

function checkingTitle({ state, t }: Ui): string {
  if (state.busy === "list") return t("enter_label");
  if (state.busy !== "check") return t("analysis_resuming");
  return t("analysis_checking", { domain: shownDomain(state) });
}

/** The placeholder while a check, a connection or the later screens load. */
export function Checking({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const isResuming = state.busy !== "check";
  return (
    <Screen
      title={checkingTitle(ui)}
      lede={isResuming ? t("loading") : t("analysis_checking_lede")}
      actions={
        isResuming ? undefined : (
          <Button variant="quiet back" id="back" onPress={() => send({ type: "back" })}>
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
