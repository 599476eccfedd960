import type { DomainCheck } from "@mooring/sdk";
import { baseOf, isWildcardName } from "../../domain-name.ts";
import { offersWildcard } from "../../machine/pairing.ts";
import { toUnicode } from "../../unicode-name.ts";
import { Button, Notice } from "../parts.tsx";
import type { Ui } from "../screen.tsx";

/** What a wildcard covers, and the way from a name to its wildcard and back. */
export function WildcardView({ ui, check }: { readonly ui: Ui; readonly check: DomainCheck }) {
  const { state, t, send, brand } = ui;
  const { domain: name } = check;
  const isFree = state.setting.boundDomain === null && state.busy === null;
  if (isWildcardName(name)) {
    const domain = toUnicode(baseOf(name));
    return (
      <Notice tone="info" title={t("wildcard_title", { domain })} id="wildcard">
        <p>{t("wildcard_lede", { domain, brand })}</p>
        {isFree && (
          <Button
            variant="link"
            id="wildcard-single"
            onPress={() => send({ type: "restarted", domain: baseOf(name) })}
          >
            {t("wildcard_single", { domain })}
          </Button>
        )}
      </Notice>
    );
  }
  if (!offersWildcard(state) || !isFree) return null;
  return (
    <p class="wildcard-offer">
      <Button
        variant="link"
        id="wildcard-offer"
        onPress={() => send({ type: "restarted", domain: `*.${name}` })}
      >
        {t("wildcard_offer", { domain: toUnicode(name) })}
      </Button>
    </p>
  );
}
