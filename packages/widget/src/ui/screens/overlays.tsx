import type { Child } from "../../jsx-runtime.ts";
import { Button } from "../parts.tsx";
import { shownDomain, type Ui } from "../screen.tsx";

/** Questions in front of the screen: leaving an unfinished setup, and an expired session. */
export function Overlays({ ui }: { readonly ui: Ui }) {
  const { overlay } = ui.state;
  if (overlay === "exit") return <ExitConfirmation ui={ui} />;
  return overlay === "expired" ? <SessionExpired ui={ui} /> : null;
}

function ExitConfirmation({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  return (
    <Overlay
      id="exit"
      title={t("exit_title")}
      lede={t("exit_lede", { domain: shownDomain(state) })}
      actions={
        <>
          <Button id="exit-leave" onPress={() => send({ type: "left" })}>
            {t("exit_leave")}
          </Button>
          <Button variant="primary" id="exit-stay" onPress={() => send({ type: "stayed" })}>
            {t("exit_stay")}
          </Button>
        </>
      }
    />
  );
}

function SessionExpired({ ui }: { readonly ui: Ui }) {
  const { state, t, send } = ui;
  const { canRenew } = state.setting;
  return (
    <Overlay
      id="expired"
      title={t("expired_title")}
      lede={t("expired_lede")}
      actions={
        <>
          <Button
            variant={canRenew ? "quiet" : "primary"}
            id="expired-close"
            onPress={() => send({ type: "left" })}
          >
            {t("close")}
          </Button>
          {canRenew && (
            <Button
              variant="primary"
              id="expired-renew"
              isBusy={state.isRenewing}
              onPress={() => send({ type: "renew_asked" })}
            >
              {t("expired_renew")}
            </Button>
          )}
        </>
      }
    />
  );
}

function Overlay({
  id,
  title,
  lede,
  actions,
}: {
  readonly id: string;
  readonly title: string;
  readonly lede: string;
  readonly actions: Child;
}) {
  return (
    <div class="overlay">
      <div
        class="overlay-box"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="svc-overlay-title"
        aria-describedby="svc-overlay-lede"
        data-testid={`svc-overlay-${id}`}
      >
        <h2 class="title" id="svc-overlay-title">
          {title}
        </h2>
        <p class="lede" id="svc-overlay-lede">
          {lede}
        </p>
        <div class="actions">{actions}</div>
      </div>
    </div>
  );
}
