import { baseUrlOfScript, type OpenOptions } from "./options.ts";
import { later } from "./ui/later.tsx";
import { openWidget, type SvcHandle } from "./ui/mount.tsx";

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
export type { OpenOptions, Theme } from "./options.ts";
export type { SvcHandle } from "./ui/mount.tsx";

/** Opens the widget. Throws a TypeError when an option is not what it should be. */
export function open(options: OpenOptions): SvcHandle {
  return openWidget(options, baseUrlOfScript(import.meta.url), async () => later);
}

export const Svc = { open } as const;
