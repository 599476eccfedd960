import type { State } from "../machine/state.ts";
import { css } from "../styles/first.css";

/** Where the widget is drawn: a shadow root, so that neither the page nor the widget styles the other. */
export interface Shell {
  readonly root: HTMLElement;
  readonly addStyles: (css: string) => void;
  /** Takes it away and gives the focus back to where it was. */
  readonly remove: () => void;
}

/** Made by script, so that a strict CSP needs no exception for styles. */
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

/** The browser's own modal dialog: above everything, the page behind it inert. */
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
    // Browsers let a second Escape through whatever we say; what is unfinished stays in view.
    if (!isRemoved) root.showModal();
  });
  root.addEventListener("keydown", (event) => keepFocusInside(event, shadow));
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

/** Tab goes round inside, where the browser would go on to its own bars. */
function keepFocusInside(event: KeyboardEvent, shadow: ShadowRoot): void {
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

/** Whether the focus is within, wherever exactly. */
export function hasFocus(root: HTMLElement): boolean {
  const tree = root.getRootNode();
  return tree instanceof ShadowRoot && tree.activeElement !== null;
}

/** A new screen is read from its heading; the first one starts where one types. */
export function moveFocus(root: HTMLElement, before: State | null, after: State): void {
  if (before !== null && placeOf(before) === placeOf(after)) return;
  const find = (selector: string) => root.querySelector<HTMLElement>(selector);
  const target =
    after.overlay === null
      ? ((before === null ? find("#svc-domain") : null) ?? find("#svc-title"))
      : find(".overlay .primary");
  target?.focus({ preventScroll: true });
}

function placeOf({ step, overlay, automatic, check, email, busy }: State): string {
  const isLoading = busy === "check" || busy === "load";
  return [step, overlay, automatic.mode, check !== null, email !== null, isLoading].join();
}
