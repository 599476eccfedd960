import { offeredPair, pairChoice } from "../../machine/pairing.ts";
import type { PairChoice } from "../../machine/state.ts";
import { toUnicode } from "../../unicode-name.ts";
import type { Ui } from "../screen.tsx";

/** Both names of a domain, or only the one that was typed. */
export function PairChoiceView({ ui }: { readonly ui: Ui }) {
  const { state, t } = ui;
  const pair = offeredPair(state);
  if (pair === null || state.check === null) return null;
  const typed = state.check.domain;
  const other = typed === pair.apex ? pair.www : pair.apex;
  // The recommended one first, then the other way round, then the typed one alone.
  const sides =
    pair.recommended === "www" ? (["www", "apex"] as const) : (["apex", "www"] as const);
  return (
    <fieldset class="block pair" data-testid="svc-pair">
      <legend>{t("pair_title", { domain: toUnicode(other) })}</legend>
      <p class="muted small">{t("pair_lede")}</p>
      {sides.map((side) => (
        <Choice key={side} ui={ui} choice={side}>
          {t("pair_both", { domain: toUnicode(pair[side]) })}
        </Choice>
      ))}
      <Choice ui={ui} choice="single">
        {t("pair_single", { domain: toUnicode(typed) })}
      </Choice>
      {pair.other_in_use && (
        <p class="muted small" data-testid="svc-pair-in-use">
          {t("pair_in_use", { domain: toUnicode(other) })}
        </p>
      )}
    </fieldset>
  );
}

function Choice({
  ui,
  choice,
  children,
}: {
  readonly ui: Ui;
  readonly choice: PairChoice;
  readonly children?: string;
}) {
  const { state, send } = ui;
  return (
    <label class="pair-option">
      <input
        type="radio"
        name="svc-pair"
        data-testid={`svc-pair-${choice}`}
        checked={pairChoice(state) === choice}
        onChange={() => send({ type: "pair_chosen", choice })}
      />
      <span>{children}</span>
    </label>
  );
}
