import { providerOf, type Ui } from "../screen.tsx";

/** Asks before what the person entered to write the records is used once more. */
export function AccessAgain({
  ui,
  lede,
}: {
  readonly ui: Ui;
  readonly lede: "access_again_mail" | "access_again_switch";
}) {
  const { t, state, send } = ui;
  if (state.mailAccess === null) return null;
  const provider = providerOf(state) ?? t("your_provider");
  return (
    <label class="pair-option">
      <input
        type="checkbox"
        data-testid="svc-access-again"
        checked={state.reusesAccess}
        onChange={() => send({ type: "access_allowed", isGiven: !state.reusesAccess })}
      />
      <span>
        {t("access_again", { provider })}
        <span class="muted small option-lede">{t(lede)}</span>
      </span>
    </label>
  );
}
