import { type RecordRow, zoneFile } from "../../connection-view.ts";
import { Button, Copyable, downloadIcon, Icon, mailIcon, sendIcon } from "../parts.tsx";
import { parseRegion } from "../region.ts";
import { shownDomain, type Ui } from "../screen.tsx";

/** The records as a file, and a link for the person who manages the DNS, beside its button. */
export function ShareTools({
  ui,
  rows,
  zone,
}: {
  readonly ui: Ui;
  readonly rows: readonly RecordRow[];
  readonly zone: string;
}) {
  const { state, t, send } = ui;
  const { share, shareProblem, busy } = state;
  const records = rows.map(({ record }) => record);
  return (
    <div class="tools">
      <div class="tool-row">
        <Button id="download" onPress={() => download(`${zone}.zone`, zoneFile(zone, records))}>
          <Icon path={downloadIcon} /> {t("manual_download")}
        </Button>
        <Button id="share" isBusy={busy === "share"} onPress={() => send({ type: "share_asked" })}>
          <Icon path={sendIcon} /> {t("manual_share")}
        </Button>
      </div>
      {share !== null && <Shared ui={ui} url={share.url} expiresAt={share.expiresAt} />}
      {shareProblem !== null && (
        <p class="hint wrong" role="alert" data-testid="svc-share-problem" data-reveal="problem">
          {t("manual_share_problem")}
        </p>
      )}
    </div>
  );
}

function Shared({
  ui,
  url,
  expiresAt,
}: {
  readonly ui: Ui;
  readonly url: string;
  readonly expiresAt: string;
}) {
  const { state, t, locale } = ui;
  const title = t("share_subject", { domain: shownDomain(state) });
  const text = shareText(ui);
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${text}\n\n${url}\n`)}`;
  return (
    <div class="card shared" data-testid="svc-shared" data-reveal={url}>
      <p class="small">
        {t("manual_share_title", {
          date: new Date(expiresAt).toLocaleDateString(parseRegion(locale)),
        })}
      </p>
      <Copyable ui={ui} label={t("share_link")} value={url} subject="" id="share-url" />
      <div class="tool-row">
        <a class="button quiet" href={mail} data-testid="svc-share-mail">
          <Icon path={mailIcon} /> {t("share_mail")}
        </a>
        {typeof navigator.share === "function" && (
          <Button id="share-native" onPress={() => void shareNatively({ title, text, url })}>
            <Icon path={sendIcon} /> {t("share_native")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Where two accounts have proven the domain, what is asked for is to delete a record. */
function shareText({ state, t, brand }: Ui): string {
  const domain = shownDomain(state);
  const both = state.diagnosis?.findings.find(({ code }) => code === "hostname_proven_by_both");
  const fix = both?.texts.end_customer.fix;
  return fix === undefined ? t("share_text", { domain, brand }) : fix;
}

/** The person may close the browser's dialog, which rejects. */
async function shareNatively(data: ShareData): Promise<void> {
  try {
    await navigator.share(data);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
