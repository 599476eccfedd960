import { type OpenOptions, open, type SvcHandle } from "./index.ts";

type Properties = Pick<OpenOptions, "theme" | "getToken" | "onSuccess" | "onClose" | "token">;

/**
 * `<svc-connect application-id token brand-name domain locale base-url connection-id email>`: the
 * widget in the page's flow. What is not a text is a property: `theme`, `getToken`, `onSuccess`,
 * `onClose`, and `token` too. It starts when it is connected and has an application and a token or
 * `getToken`; it closes when it is taken out.
 */
export class SvcConnectElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ["application-id", "token"];

  #given: Properties = {};
  #handle: SvcHandle | null = null;

  set theme(theme: OpenOptions["theme"]) {
    this.#give({ theme });
  }

  set getToken(getToken: OpenOptions["getToken"]) {
    this.#give({ getToken });
  }

  set onSuccess(onSuccess: OpenOptions["onSuccess"]) {
    this.#give({ onSuccess });
  }

  set onClose(onClose: OpenOptions["onClose"]) {
    this.#give({ onClose });
  }

  set token(token: string | undefined) {
    this.#give({ token });
  }

  connectedCallback(): void {
    this.#start();
  }

  disconnectedCallback(): void {
    this.#handle?.close();
    this.#handle = null;
  }

  attributeChangedCallback(): void {
    this.#start();
  }

  #give(properties: { readonly [K in keyof Properties]: Properties[K] | undefined }): void {
    this.#given = withoutGaps({ ...this.#given, ...properties });
    this.#start();
  }

  /** Once; a page that changes its mind takes the element out and puts another in. */
  #start(): void {
    const applicationId = this.getAttribute("application-id");
    const token = this.#given.token ?? this.getAttribute("token") ?? undefined;
    const hasToken = token !== undefined || this.#given.getToken !== undefined;
    if (this.#handle !== null || !this.isConnected || applicationId === null || !hasToken) return;
    const options = withoutGaps({
      ...this.#given,
      token,
      brandName: this.getAttribute("brand-name") ?? undefined,
      domain: this.getAttribute("domain") ?? undefined,
      locale: this.getAttribute("locale") ?? undefined,
      baseUrl: this.getAttribute("base-url") ?? undefined,
      connectionId: this.getAttribute("connection-id") ?? undefined,
    });
    this.#handle = open({
      ...options,
      applicationId,
      email: this.hasAttribute("email"),
      container: this,
    });
  }
}

type Gapless<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves the undefined ones out, which is what makes the type true. */
function withoutGaps<T extends object>(given: T): Gapless<T> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Gapless<T>;
}

if (!customElements.get("svc-connect")) customElements.define("svc-connect", SvcConnectElement);

declare global {
  interface HTMLElementTagNameMap {
    "svc-connect": SvcConnectElement;
  }
}
