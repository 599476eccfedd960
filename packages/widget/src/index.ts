import { baseUrlOfScript, type OpenOptions, type SvcHandle } from "./options.ts";
import type { Later } from "./ui/later.tsx";
import { openWidget } from "./ui/mount.tsx";

export type {
  CloseDetail,
  ConnectionState,
  ErrorDetail,
  SetupType,
  Step,
  StepDetail,
  SuccessDetail,
  SvcEventMap,
} from "./events.ts";
export type { OpenOptions, SvcHandle, Theme } from "./options.ts";

/** Opens the widget. Throws a TypeError for an invalid option. */
export function open(options: OpenOptions): SvcHandle {
  return openWidget(options, baseUrlOfScript(import.meta.url), loadLater);
}

/** In the package a file of its own, which a bundler loads when the widget opens. */
async function loadLater(): Promise<Later> {
  return (await import("./ui/later.tsx")).later;
}

export const Svc = { open } as const;
