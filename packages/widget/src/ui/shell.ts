import type { State } from "../machine/state.ts";
import { css } from "../styles/first.css";

/** The widget's container: a shadow root, so that page and widget do not style each other. */
export interface Shell {
  readonly root: HTMLElement;
  readonly addStyles: (css: string) => void;
  /** Removes it and restores the focus of the page. */
  readonly remove: () => void;
}

/** A constructed style sheet needs no exception in a strict CSP. */
function addStyles(shadow: ShadowRoot, text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
}

export function createShell(container: Element | null, onClose: () => void): Shell {
  const host = document.createElement("div");
  host.dataset["svcWidget"] = container === null ? "modal" : "inline";
  const shadow = host.attachShadow({ mode: "open" });
  addStyles(shadow, css);
  const shell =
    container === null ? modalShell(host, shadow, onClose) : inlineShell(host, shadow, container);
  return { ...shell, addStyles: (text) => addStyles(shadow, text) };
}

type Frame = Pick<Shell, "root" | "remove">;

function inlineShell(host: HTMLElement, shadow: ShadowRoot, container: Element): Frame {
  const root = document.createElement("div");
  root.className = "root inline";
  root.setAttribute("role", "region");
  root.setAttribute("aria-labelledby", "svc-title");
  shadow.append(root);
  container.append(host);
  return { root, remove: () => host.remove() };
}

/** The browser's modal dialog, in the top layer, with the page behind it inert. */
function modalShell(host: HTMLElement, shadow: ShadowRoot, onClose: () => void): Frame {
  const before = document.activeElement;
  const root = document.createElement("dialog");
  root.className = "root modal";
  root.setAttribute("aria-labelledby", "svc-title");
  shadow.append(root);
  document.body.append(host);
  root.showModal();
  let isRemoved = false;
  root.addEventListener("cancel", (event) => {
    event.preventDefault();
    onClose();
  });
  root.addEventListener("close", () => {
    // A second Escape closes a dialog although `cancel` was prevented, so it is shown again.
    if (!isRemoved) root.showModal();
  });
  root.addEventListener("keydown", (event) => trapFocus(event, shadow));
  return {
    root,
    remove() {
      isRemoved = true;
      root.close();
      host.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
  };
}

const focusable =
  "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";

/** Tab cycles inside the dialog; browsers would move on to their own toolbars. */
function trapFocus(event: KeyboardEvent, shadow: ShadowRoot): void {
  if (event.key !== "Tab") return;
  const reachable = [...shadow.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) =>
      !element.matches(":disabled") &&
      element.closest("[inert]") === null &&
      element.checkVisibility(),
  );
  const first = reachable[0];
  const last = reachable.at(-1);
  if (first === undefined || last === undefined) return;
  const active = shadow.activeElement;
  const isOutside = active === null || !reachable.some((element) => element === active);
  const isLeaving = event.shiftKey ? active === first || isOutside : active === last;
  if (!isLeaving) return;
  event.preventDefault();
  (event.shiftKey ? last : first).focus();
}

/** Whether the focus is inside the widget. */
export function hasFocus(root: HTMLElement): boolean {
  const tree = root.getRootNode();
  return tree instanceof ShadowRoot && tree.activeElement !== null;
}

/** Focuses the heading of a new screen, the input of the first one, or an overlay's main button. */
export function moveFocus(
  root: HTMLElement,
  before: State | null,
  after: State,
  part: (state: State) => string = () => "",
): void {
  const focusKey = (state: State) => `${screenKey(state)} ${part(state)}`;
  if (before !== null && focusKey(before) === focusKey(after)) return;
  const find = (selector: string) => root.querySelector<HTMLElement>(selector);
  const target =
    after.overlay === null
      ? ((before === null || before.busy === "list" ? find("#svc-domain") : null) ??
        find("#svc-title"))
      : find(".overlay .primary");
  target?.focus({ preventScroll: true });
}

function screenKey({ step, overlay, automatic, check, email, busy }: State): string {
  const isLoading = busy === "check" || busy === "load" || busy === "list";
  return [step, overlay, automatic.mode, check !== null, email !== null, isLoading].join();
}
