/** The window in which the customer consents at the DNS provider. */
export interface Popup {
  /** Must be called within a click handler, or the browser blocks the window. */
  open(url: string | null): boolean;
  go(url: string, size: { readonly width: number; readonly height: number }): void;
  close(): void;
}

export interface PopupOptions {
  readonly window: Window;
  /** Messages from other origins are ignored: the service serves the return page. */
  readonly origin: string;
  /** `grant`: what a sign-in gave. */
  readonly onReturn: (outcome: "returned" | "denied", grant: string | null) => void;
  readonly onClosed: () => void;
}

const checkClosedEveryMs = 500;
const defaultSize = { width: 760, height: 760 } as const;

export function createPopup({ window, origin, onReturn, onClosed }: PopupOptions): Popup {
  let popup: Window | null = null;
  let timer: number | null = null;

  const receiveMessage = (event: MessageEvent) => {
    if (event.origin !== origin) return;
    const result = readReturn(event.data);
    if (result === null) return;
    // The window closes itself now; `onClosed` is not called for that.
    unfollow();
    onReturn(result.outcome, result.grant);
  };
  const unfollow = () => {
    if (timer !== null) window.clearInterval(timer);
    timer = null;
  };
  const follow = () => {
    window.addEventListener("message", receiveMessage);
    timer = window.setInterval(() => {
      if (popup === null || !popup.closed) return;
      // Its last message may still arrive, so the listener stays.
      unfollow();
      onClosed();
    }, checkClosedEveryMs);
  };
  const end = () => {
    unfollow();
    window.removeEventListener("message", receiveMessage);
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

interface Returned {
  readonly outcome: "returned" | "denied";
  readonly grant: string | null;
}

/** Reads the return page's message; null for any other message. */
function readReturn(data: unknown): Returned | null {
  if (typeof data !== "object" || data === null || !("type" in data && "status" in data))
    return null;
  if (data.type === "svc:domain-connect") {
    return { outcome: data.status === "returned" ? "returned" : "denied", grant: null };
  }
  if (data.type !== "svc:oauth") return null;
  const grant = "grant" in data && typeof data.grant === "string" ? data.grant : null;
  return { outcome: grant === null ? "denied" : "returned", grant };
}
