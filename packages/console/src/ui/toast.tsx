import { useEffect, useSyncExternalStore } from "react";
import { errorText } from "./status.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
}

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const shownMs = 6_000;

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function add(text: string, isBad: boolean): void {
  last += 1;
  const id = last;
  change([...toasts.slice(-2), { id, text, isBad }]);
  setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), shownMs);
}

/** Says that something was done. */
export function announce(text: string): void {
  add(text, false);
}

/** Says that something was not done, and why. */
export function announceError(error: unknown): void {
  add(errorText(error), true);
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  useEffect(() => () => change([]), []);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, isBad }) => (
        <div key={id} className={isBad ? "toast bad" : "toast"}>
          {text}
        </div>
      ))}
    </div>
  );
}
