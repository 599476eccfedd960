import type { SvcEvent } from "../events.ts";
import type { ParsedOptions } from "../options.ts";

/** Tells the page: the event on `window`, then the callback. What the page does with it is its own. */
export function tell(options: ParsedOptions, event: SvcEvent): void {
  window.dispatchEvent(new CustomEvent(event.name, { detail: event.detail }));
  try {
    callBack(options, event);
  } catch (error) {
    // A fault of the page's is the page's to see; the customer goes on.
    reportError(error);
  }
}

function callBack({ onSuccess, onClose }: ParsedOptions, event: SvcEvent): void {
  if (event.name === "svc:success") {
    const { jobId, domain } = event.detail;
    onSuccess?.({ id: jobId, domain });
  } else if (event.name === "svc:close") {
    const { jobId, domain, success } = event.detail;
    onClose?.({ id: jobId, domain, succeeded: success });
  }
}
