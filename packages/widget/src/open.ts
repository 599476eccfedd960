import { type OpenOptions, parseOptions } from "./options.ts";
import { type LoadLater, type Mounted, mount } from "./ui/mount.tsx";

export interface SvcHandle {
  /** Closes the widget without asking; the work goes on at the service. */
  readonly close: () => void;
}

let modal: Mounted | null = null;

/** Opens the widget. Throws a TypeError when an option is not what it should be. */
export function openWidget(
  options: OpenOptions,
  defaultBaseUrl: string | null,
  loadLater: LoadLater,
): SvcHandle {
  const parsed = parseOptions(options, defaultBaseUrl);
  if (parsed.container !== null) return { close: mount(parsed, loadLater).close };
  // There is one modal at a time: the older one makes room.
  modal?.close();
  modal = mount(parsed, loadLater);
  return { close: modal.close };
}
