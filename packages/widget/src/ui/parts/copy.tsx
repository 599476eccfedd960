import type { Ui } from "../ui.ts";
import { checkIcon, copyIcon, Icon } from "./icon.tsx";

/** A value in its own line with a button that copies it. */
export function Copyable({
  ui,
  label,
  value,
  id,
}: {
  readonly ui: Ui;
  readonly label: string;
  readonly value: string;
  readonly id: string;
}) {
  const { t, say } = ui;
  const copy = async (button: HTMLElement) => {
    if (!(await writeClipboard(value, button))) return;
    button.classList.add("is-copied");
    setTimeout(() => button.classList.remove("is-copied"), showCopiedMs);
    say(t("copied"));
  };
  return (
    <div class="copyable">
      <span class="copyable-label">{label}</span>
      <code dir="ltr" data-testid={`svc-${id}`}>
        {value === "" ? t("manual_empty") : value}
      </code>
      <button
        type="button"
        class="copy"
        data-testid={`svc-copy-${id}`}
        aria-label={t("copy_what", { what: label })}
        title={t("copy")}
        onClick={(event) => void copy(event.currentTarget)}
      >
        <Icon path={copyIcon} />
        <Icon path={checkIcon} />
      </button>
    </div>
  );
}

const showCopiedMs = 2_000;

/** Pages without TLS have no clipboard API; there the old way is left. */
async function writeClipboard(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

function copyBySelection(text: string, near: HTMLElement): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  near.after(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  near.focus();
  return isDone;
}
