import { ApiError, ConnectionError, MooringError, TimeoutError } from "@mooring/sdk";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "neutral" | "good" | "wait" | "bad" | "info" | "test";

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

interface NoteProps {
  readonly tone?: "neutral" | "good" | "wait" | "bad";
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A sentence that must not be overlooked. */
export function Note({ tone = "neutral", icon, children }: NoteProps) {
  const shown = icon ?? (tone === "bad" || tone === "wait" ? "warning" : "info");
  return (
    <div className={`note ${tone}`}>
      <Icon name={shown} />
      <div>{children}</div>
    </div>
  );
}

export function Loading({ lines = 4, label }: { readonly lines?: number; readonly label: string }) {
  return (
    <div className="loading" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical lines without state
        <span key={line} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** In place of what there is none of; left out where a row is a card. */
export function None() {
  return <span className="none muted">–</span>;
}

/** What an error says to a person, and the request that an operator can look up. */
export function Problem({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => unknown;
}) {
  return (
    <div className="note bad" role="alert">
      <Icon name="warning" />
      <div className="stack">
        <p>{errorText(error)}</p>
        {error instanceof ApiError && error.requestId !== null ? (
          <p className="mono">Request {error.requestId}</p>
        ) : null}
        {onRetry === undefined ? null : (
          <p>
            <button type="button" className="button small" onClick={() => void onRetry()}>
              Try again
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** As a sentence: the API's messages begin in lower case and have no full stop. */
export function errorText(error: unknown): string {
  if (!(error instanceof MooringError)) return "Something went wrong in this page. Reload it.";
  if (error instanceof TimeoutError) {
    const seconds = Math.round(error.timeoutMs / 1_000);
    return `The service did not answer within ${seconds} seconds. It may still be at work: reload before you repeat a change.`;
  }
  if (error instanceof ConnectionError) {
    return "The service could not be reached. Check the network, then try again.";
  }
  const text = error.message;
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
