import { useEffect, useRef } from "react";

/** What each key does; a name such as `j`, `enter`, `/`, or `mod+k` for Ctrl or Command. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * Keys of the whole page. Single letters are ignored while somebody types or a dialog is open, so
 * that they never take a letter away from a text.
 */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const name = keyName(event);
      if (!name.startsWith("mod+") && (isTyping(event) || isDialogOpen())) return;
      const run = latest.current[name];
      if (run === undefined) return;
      event.preventDefault();
      run(event);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function keyName(event: KeyboardEvent): string {
  if (event.altKey) return `alt+${event.key}`;
  if (event.ctrlKey || event.metaKey) return `mod+${event.key.toLowerCase()}`;
  return event.key.length > 1 ? event.key.toLowerCase() : event.key;
}

function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select")) {
    return true;
  }
  // Enter and Space belong to the button or link that has the focus.
  return (key === "Enter" || key === " ") && target.matches("a, button, [role^=menuitem], input");
}

function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog], [role=menu]") !== null;
}
