import { Button } from "../parts/button.tsx";
import { checkIcon, Icon, outIcon } from "../parts/icon.tsx";
import { Screen } from "../parts/screen.tsx";
import { domainOf, type Ui } from "../ui.ts";

export function Success({ ui }: { readonly ui: Ui }) {
  const { state, t, send, brand } = ui;
  const domain = domainOf(state);
  const { check, setting } = state;
  const www = `www.${domain}`;
  const offersWww = check?.www_redirect_recommended === true && setting.boundDomain === null;
  return (
    <Screen
      title={t("success_title", { domain })}
      lede={t("success_lede", { brand })}
      art={
        <div class="celebrate" aria-hidden="true">
          <Icon path={checkIcon} />
        </div>
      }
      actions={
        <>
          <a
            class="button quiet"
            href={`https://${domain}/`}
            target="_blank"
            rel="noopener noreferrer"
            data-testid="svc-visit"
          >
            {t("success_visit", { domain })} <Icon path={outIcon} />
            <span class="sr-only">({t("opens_new_window")})</span>
          </a>
          <Button look="primary" id="done" onPress={() => send({ type: "close_asked" })}>
            {t("success_done")}
          </Button>
        </>
      }
    >
      {offersWww && (
        <div class="card www">
          <p class="grow muted">{t("success_www_lede")}</p>
          <Button id="connect-www" onPress={() => send({ type: "restarted", domain: www })}>
            {t("success_www", { domain: www })}
          </Button>
        </div>
      )}
    </Screen>
  );
}
