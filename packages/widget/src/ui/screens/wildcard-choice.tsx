import type { DomainCheck } from "@mooring/sdk";
import { baseName, isWildcardName } from "../../domain-name.ts";
import { offersWildcard } from "../../machine/pairing.ts";
import { toUnicode } from "../../unicode-name.ts";
import { Button, Notice } from "../parts.tsx";
import type { Ui } from "../screen.tsx";

interface WildcardProps {
  readonly ui: Ui;
  readonly check: DomainCheck;
}

/** What a wildcard covers, and the way back to the one name. */
export function WildcardNotice({ ui, check }: WildcardProps) {
  const { t, send, brand } = ui;
  if (!isWildcardName(check.domain)) return null;
  const domain = toUnicode(baseName(check.domain));
  return (
    <Notice tone="info" title={t("wildcard_title", { domain })} id="wildcard">
      <p>{t("wildcard_lede", { domain, brand })}</p>
      {isFree(ui) && (
        <Button
          variant="link"
          id="wildcard-single"
          onPress={() => send({ type: "restarted", domain: baseName(check.domain) })}
        >
          {t("wildcard_single", { domain })}
        </Button>
      )}
    </Notice>
  );
}

/** The way from a name to all names below it. */
export function WildcardOffer({ ui, check }: WildcardProps) {
  const { state, t, send } = ui;
  if (isWildcardName(check.domain) || !offersWildcard(state) || !isFree(ui)) return null;
  return (
    <p class="wildcard-offer">
      <Button
        variant="link"
        id="wildcard-offer"
        onPress={() => send({ type: "restarted", domain: `*.${check.domain}` })}
      >
        {t("wildcard_offer")}
      </Button>
    </p>
  );
}

function isFree({ state }: Ui): boolean {
  return state.setting.boundDomain === null && state.busy === null;
}
