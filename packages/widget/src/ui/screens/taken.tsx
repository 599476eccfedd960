import { Button, Icon, outIcon, warnIcon } from "../parts.tsx";
import { Screen, shownDomain, type Ui } from "../screen.tsx";

/** The domain belongs to somebody else: said before anything is made, with the ways out. */
export function Taken({ ui }: { readonly ui: Ui }) {
  const { state, t, send, brand } = ui;
  const domain = shownDomain(state);
  const isDrifted = state.check?.claim === "drifted";
  const support = state.settings?.brand?.support_url ?? null;
  return (
    <Screen
      title={t("taken_title", { domain })}
      lede={t(isDrifted ? "taken_drifted" : "taken_lede", { domain, brand })}
      art={
        <div class="trouble" aria-hidden="true" data-testid="svc-taken">
          <Icon path={warnIcon} />
        </div>
      }
      actions={
        <>
          <Button variant="link" id="back" onPress={() => send({ type: "back" })}>
            {t("analysis_other")}
          </Button>
          <Button
            variant="primary"
            id="prove"
            isBusy={state.busy === "create"}
            onPress={() => send({ type: "continued", way: "manual" })}
          >
            {t("error_prove")}
          </Button>
        </>
      }
    >
      {support !== null && (
        <p class="taken-help">
          {t("taken_support")}{" "}
          <a href={support} target="_blank" rel="noopener noreferrer" data-testid="svc-support">
            {t("taken_contact", { brand })} <Icon path={outIcon} />
            <span class="sr-only">({t("opens_new_window")})</span>
          </a>
        </p>
      )}
    </Screen>
  );
}
