import type { DnsRecord } from "@mooring/sdk";
import type { Child } from "../jsx-runtime.ts";
import type { Ui } from "./screen.tsx";

/**
 * SVG paths on a 24 × 24 grid. They are separate constants, so that the bundler drops unused ones.
 */
export const closeIcon = "M6 6l12 12M18 6L6 18";
export const checkIcon = "M5 12.5l4.5 4.5L19 7.5";
const copyIcon = "M9 9h10v10H9zM5 15V5h10";
export const globeIcon =
  "M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c5 6 5 12 0 18M12 3c-5 6-5 12 0 18";
export const outIcon = "M10 5H5v14h14v-5M14 5h5v5M19 5l-8 8";
export const keyIcon = "M8 8a4 4 0 100 8 4 4 0 000-8zM12 12h9v4M17 12v3";
export const shieldIcon = "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4";
export const listIcon = "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01";
export const downloadIcon = "M12 4v11M7.500 11l4.500 4.500L16.500 11M5 20h14";
export const sendIcon = "M4 12l16-7-5 15-4-6zM11 14l9-9";
export const serversIcon = "M4 5h16v6H4zM4 13h16v6H4zM7.500 8h.01M7.500 16h.01M11 8h5M11 16h5";
export const mailIcon = "M4 6h16v12H4zM4 7l8 6 8-6";
export const warnIcon = "M12 4l9 16H3zM12 10v4M12 17h.01";
export const clockIcon = "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 2";

export function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}

export interface ButtonProps {
  readonly variant?: "primary" | "quiet" | "quiet back" | "link" | "danger" | "quiet danger";
  readonly id: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly isSubmit?: boolean;
  readonly onPress?: () => void;
  readonly children: Child;
}

/**
 * Its `data-testid` is `svc-` and its id. A busy or disabled button stays focusable and does
 * nothing.
 */
export function Button(props: ButtonProps) {
  const { variant = "quiet", id, isBusy = false, isDisabled = false, isSubmit, onPress } = props;
  const isIdle = !isBusy && !isDisabled;
  return (
    <button
      type={isSubmit === true ? "submit" : "button"}
      class={`button ${variant}`}
      data-testid={`svc-${id}`}
      aria-disabled={!isIdle}
      aria-busy={isBusy}
      onClick={isIdle ? onPress : prevent}
    >
      {isBusy && <Spinner />}
      {props.children}
    </button>
  );
}

function prevent(event: Event): void {
  event.preventDefault();
}

/**
 * A labelled value with a button that copies it; `subject` tells it from other buttons. What is
 * shown has the text of the value.
 */
export function Copyable({
  ui,
  label,
  value,
  shown,
  subject,
  id,
}: {
  readonly ui: Ui;
  readonly label: string;
  readonly value: string;
  readonly shown?: Child;
  readonly subject: string;
  readonly id: string;
}) {
  const { t, say } = ui;
  const what = subject === "" ? label : `${label}, ${subject}`;
  const copy = async (button: HTMLElement) => {
    if (!(await writeClipboard(value, button))) return;
    button.classList.add("is-copied");
    setTimeout(() => button.classList.remove("is-copied"), showCopiedMs);
    say(t("copied_what", { what }));
  };
  return (
    <div class="copyable">
      <span class="copyable-label">{label}</span>
      <code dir="ltr" data-testid={`svc-${id}`}>
        {value === "" ? t("manual_empty") : (shown ?? value)}
      </code>
      <button
        type="button"
        class="copy"
        data-testid={`svc-copy-${id}`}
        aria-label={t("copy_what", { what })}
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

/** Pages without TLS have no clipboard API; `execCommand` still works there. */
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

const icons = { info: globeIcon, warn: warnIcon, bad: warnIcon } as const;

/** A boxed note with an icon. */
export function Notice({
  tone,
  title,
  id,
  children,
}: {
  readonly tone: keyof typeof icons;
  readonly title?: string;
  readonly id: string;
  readonly children?: Child;
}) {
  return (
    <div class={`notice ${tone}`} data-testid={`svc-${id}`}>
      <Icon path={icons[tone]} />
      <div class="notice-body">
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

/** A record on one line, for lists that are not copied from. */
export function RecordLine({ record }: { readonly record: DnsRecord }) {
  const { type, host, value, priority } = record;
  return (
    <span class="record-line" dir="ltr">
      <span class="type">{type}</span>
      <code>{host}</code>
      <code class="muted">{priority === null ? value : `${priority} ${value}`}</code>
    </span>
  );
}

/** A picture beside a name that is written out. */
export function Tile({ path }: { readonly path: string }) {
  return (
    <span class="tile" aria-hidden="true">
      <Icon path={path} />
    </span>
  );
}
