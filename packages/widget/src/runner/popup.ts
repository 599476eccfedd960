/** The window in which the customer gives their consent at the DNS provider. */
export interface Popup {
  /** Must be called while a click is being handled, or the browser blocks it. */
  open(url: string | null): boolean;
  go(url: string, size: { readonly width: number; readonly height: number }): void;
  close(): void;
}

export interface PopupOptions {
  readonly window: Window;
  /** Only messages of this origin are heard: the return page is the service's own. */
  readonly origin: string;
  readonly onReturn: (outcome: "returned" | "denied") => void;
  readonly onClosed: () => void;
}

const askIfClosedMs = 500;
const defaultSize = { width: 760, height: 760 } as const;

export function createPopup({ window, origin, onReturn, onClosed }: PopupOptions): Popup {
  let popup: Window | null = null;
  let timer: number | null = null;

  const hear = (event: MessageEvent) => {
    if (event.origin !== origin) return;
    const outcome = readReturn(event.data);
    if (outcome === null) return;
    // The window closes itself now, which is no news any more.
    unfollow();
    onReturn(outcome);
  };
  const unfollow = () => {
    if (timer !== null) window.clearInterval(timer);
    timer = null;
  };
  const follow = () => {
    window.addEventListener("message", hear);
    timer = window.setInterval(() => {
      if (popup === null || !popup.closed) return;
      // Its last message may be on the way, so it is still listened to.
      unfollow();
      onClosed();
    }, askIfClosedMs);
  };
  const end = () => {
    unfollow();
    window.removeEventListener("message", hear);
    popup?.close();
    popup = null;
  };
  return {
    open(url) {
      end();
      const { width, height } = defaultSize;
      const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2);
      const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2);
      const features = `popup,width=${width},height=${height},left=${left},top=${top}`;
      popup = window.open(isWebAddress(url) ? url : "about:blank", "svc_domain_connect", features);
      if (popup === null) return false;
      follow();
      return true;
    },
    go(url, { width, height }) {
      if (popup === null || !isWebAddress(url)) return;
      popup.resizeTo(width, height);
      popup.location.replace(url);
    },
    close: end,
  };
}

function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url);
}

/** The return page's words; whatever else is said is not for us. */
function readReturn(data: unknown): "returned" | "denied" | null {
  if (typeof data !== "object" || data === null || !("type" in data && "status" in data))
    return null;
  if (data.type !== "svc:domain-connect") return null;
  return data.status === "returned" ? "returned" : "denied";
}
