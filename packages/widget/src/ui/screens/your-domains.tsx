import type { OwnDomain } from "../../machine/state.ts";
import { domainSituation, nextMove } from "../../situation.ts";
import { toUnicode } from "../../unicode-name.ts";
import { Button, Icon, Notice, outIcon } from "../parts.tsx";
import { parseRegion } from "../region.ts";
import { Screen, type Ui } from "../screen.tsx";

/** The customer's own domains: what each needs, and another one. */
export function YourDomains({ ui }: { readonly ui: Ui }) {
  const { state, t, send, brand } = ui;
  const removing = state.domains.find(({ main }) => main.id === state.removing);
  if (removing !== undefined) return <Removal ui={ui} domain={removing} />;
  return (
    <Screen
      title={t("domains_title")}
      lede={t("domains_lede", { brand })}
      actions={
        <Button variant="primary" id="add-domain" onPress={() => send({ type: "another_asked" })}>
          {t("domains_add")}
        </Button>
      }
    >
      <ul class="domains" data-testid="svc-domains">
        {state.domains.map((domain) => (
          <DomainCard key={domain.main.id} ui={ui} domain={domain} />
        ))}
      </ul>
    </Screen>
  );
}

const tones = { none: "ok", switch: "ok", continue: "", fix: "warn" } as const;

const moveTexts = {
  continue: "domains_continue",
  fix: "domains_fix",
  switch: "ready_switch",
} as const;

function DomainCard({ ui, domain }: { readonly ui: Ui; readonly domain: OwnDomain }) {
  const { t, send, visitUrl } = ui;
  const { main, partner } = domain;
  const name = toUnicode(main.hostname);
  const situation = domainSituation(domain);
  const move = nextMove(domain);
  return (
    <li class="card domain" data-testid="svc-own-domain" data-situation={situation}>
      <div class="domain-head">
        <strong dir="ltr">{name}</strong>
        <span class={`chip status ${tones[move]}`}>{t(`situation_${situation}`)}</span>
      </div>
      {partner !== null && (
        <p class="muted small">{t("domains_partner", { domain: toUnicode(partner.hostname) })}</p>
      )}
      <div class="domain-actions">
        {main.state === "live" && (
          <a
            class="button quiet"
            href={visitUrl(main.hostname)}
            target="_blank"
            rel="noopener noreferrer"
            data-testid="svc-visit-domain"
          >
            {t("domains_visit")} <Icon path={outIcon} />
            <span class="sr-only">
              {name} ({t("opens_new_window")})
            </span>
          </a>
        )}
        {move !== "none" && (
          <Button
            variant="primary"
            id="open-domain"
            onPress={() => send({ type: "domain_opened", id: main.id })}
          >
            {t(moveTexts[move])}
            <span class="sr-only"> {name}</span>
          </Button>
        )}
        <Button
          variant="quiet danger"
          id="remove-domain"
          onPress={() => send({ type: "removal_asked", id: main.id })}
        >
          {t("domains_remove")}
          <span class="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  );
}

/** "acme.com and www.acme.com". */
function nameList({ locale }: Ui, names: readonly string[]): string {
  return new Intl.ListFormat(parseRegion(locale)).format(names);
}

/** Asks before visitors lose the domain. */
function Removal({ ui, domain }: { readonly ui: Ui; readonly domain: OwnDomain }) {
  const { state, t, send, brand } = ui;
  const names = [domain.main, domain.partner].flatMap((one) =>
    one === null ? [] : [toUnicode(one.hostname)],
  );
  const isBusy = state.busy === "remove";
  return (
    <Screen
      title={t("remove_title", { domain: names[0] ?? "" })}
      lede={t("remove_lede", { brand, domain: nameList(ui, names) })}
      actions={
        <>
          <Button
            id="remove-keep"
            isDisabled={isBusy}
            onPress={() => send({ type: "removal_cancelled" })}
          >
            {t("remove_keep")}
          </Button>
          <Button
            variant="danger"
            id="remove-confirm"
            isBusy={isBusy}
            onPress={() => send({ type: "removal_confirmed" })}
          >
            {t("remove_confirm")}
          </Button>
        </>
      }
    >
      <p class="muted remove-note">{t("remove_dns")}</p>
      {state.removeProblem !== null && (
        <Notice tone="bad" id="remove-problem">
          <p role="alert">{t("remove_problem")}</p>
        </Notice>
      )}
    </Screen>
  );
}
