import type { State } from "../machine/state.ts";

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
