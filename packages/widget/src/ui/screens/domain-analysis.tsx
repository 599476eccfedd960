import type { DomainCheck } from "@mooring/sdk";
import { baseName, isWildcardName } from "../../domain-name.ts";
import { isTaken, pairChoice, wantsCutover } from "../../machine/pairing.ts";
import { easyWays } from "../../machine/ways.ts";
import { toUnicode } from "../../unicode-name.ts";
import {
  Button,
  checkIcon,
  globeIcon,
  Icon,
  Notice,
  RecordLine,
  serversIcon,
  shieldIcon,
  Tile,
} from "../parts.tsx";
import { Screen, shownDomain, type Ui } from "../screen.tsx";
import { Checking } from "./first.tsx";
import { MoveChoice } from "./moving.tsx";
import { PairChoiceView } from "./pair-choice.tsx";
import { Taken } from "./taken.tsx";
import { WildcardNotice, WildcardOffer } from "./wildcard-choice.tsx";

/** What the check of the domain found, and what will change. */
export function DomainAnalysis({ ui }: { readonly ui: Ui }) {
  const { check, busy } = ui.state;
  if (check === null || busy === "check" || busy === "load") return <Checking ui={ui} />;
  if (isTaken(ui.state)) return <Taken ui={ui} />;
  return check.registered ? <Found ui={ui} check={check} /> : <Unregistered ui={ui} />;
}

function Unregistered({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const domain = state.check?.registrable_domain ?? "";
  const meant = ui.didYouMean(state.input);
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
    >
      {meant !== null && (
        <Button id="did-you-mean" onPress={() => send({ type: "restarted", domain: meant })}>
          {t("did_you_mean", { domain: meant })}
        </Button>
      )}
    </Screen>
  );
}

function Found({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t } = ui;
  return (
    <Screen title={t("analysis_title")} actions={<FoundActions ui={ui} check={check} />}>
      <ProviderCard ui={ui} check={check} />
      <WildcardNotice ui={ui} check={check} />
      <PairChoiceView ui={ui} />
      <MoveChoice ui={ui} />
      <Changes ui={ui} check={check} />
      <Conflicts ui={ui} check={check} />
      <Warnings ui={ui} check={check} />
      <WildcardOffer ui={ui} check={check} />
    </Screen>
  );
}

function FoundActions({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t, state, send } = ui;
  const isBusy = state.busy === "create";
  const isAutomatic = easyWays(check).length > 0;
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
  const isAutomatic = easyWays(check).length > 0;
  const guided = check.guide.manual === null ? "analysis_manual" : "analysis_guided";
  return (
    <div class="card provider" data-testid="svc-provider" data-provider={check.provider_slug ?? ""}>
      <Tile path={serversIcon} />
      <div class="grow">
        <span class="option-title">
          <strong>{provider ?? t("analysis_unknown")}</strong>
          <span class={isAutomatic ? "chip ok" : "chip"} data-testid="svc-setup-type">
            {t(isAutomatic ? "analysis_automatic" : guided)}
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
  const { t } = ui;
  const proof = proofText(ui, check);
  return (
    <section class="block">
      <h3>{t("analysis_changes")}</h3>
      <ul class="ticks">
        {proof !== null && (
          <li>
            <Icon path={shieldIcon} /> {proof}
          </li>
        )}
        <li>
          <Icon path={globeIcon} /> {leadsText(ui, check)}
        </li>
        <li>
          <Icon path={checkIcon} />{" "}
          {t(isWildcardName(check.domain) ? "wildcard_certificate" : "analysis_change_rest")}
        </li>
      </ul>
    </section>
  );
}

/** Null where a record that is needed anyway proves ownership. */
function proofText({ state, t }: Ui, { proof }: DomainCheck): string | null {
  const isPrepared = wantsCutover(state);
  // The apex of a pair has no other proof, unless both are prepared.
  if (pairChoice(state) !== "single" && !isPrepared) return t("analysis_change_proof");
  const method = isPrepared ? proof.prepared : proof.method;
  return method === "txt" ? t("analysis_change_proof") : null;
}

function leadsText({ state, t, brand }: Ui, check: DomainCheck): string {
  const { apex, pair } = check;
  const domain = shownDomain(state);
  if (wantsCutover(state) && !isWildcardName(check.domain)) {
    return t("moving_change", { domain, brand });
  }
  if (pair !== null && pairChoice(state) !== "single") {
    return t("pair_change_leads", {
      domain: toUnicode(pair.apex),
      other: toUnicode(pair.www),
      brand,
    });
  }
  if (isWildcardName(check.domain))
    return t("wildcard_change", { domain: baseName(domain), brand });
  if (check.proof.method === "cname") return t("analysis_change_one", { domain, brand });
  return t(apex ? "analysis_change_apex" : "analysis_change_subdomain", { domain, brand });
}

function Conflicts({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t } = ui;
  // Nothing is replaced before the switch.
  if (check.record_conflicts.length === 0 || wantsCutover(ui.state)) return null;
  return (
    <Notice tone="warn" title={t("analysis_conflicts")} id="conflicts">
      <p>{conflictsText(ui, check)}</p>
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

/** Only addresses send visitors elsewhere; each kind of record is in the way for its own reason. */
function conflictsText({ t }: Ui, { record_conflicts: records }: DomainCheck): string {
  const has = (...types: readonly string[]) => records.some(({ type }) => types.includes(type));
  const addressTypes = ["A", "AAAA", "ALIAS", "CNAME", "HTTPS"];
  return [
    has(...addressTypes) && t("conflicts_visitors"),
    has("MX") && t("conflicts_mail"),
    has("NS") && t("conflicts_delegated"),
    records.some(({ type }) => ![...addressTypes, "MX", "NS"].includes(type)) &&
      t("conflicts_beside"),
  ]
    .filter(Boolean)
    .join(" ");
}

function Warnings({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { t } = ui;
  if (check.warning_details.length === 0) return null;
  return (
    <Notice tone="info" title={t("analysis_notes")} id="warnings">
      <ul class="plain">
        {check.warning_details.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}
