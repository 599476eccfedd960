import { type OpenOptions, open, type SvcHandle } from "./index.ts";

type Properties = Pick<OpenOptions, "theme" | "getToken" | "onSuccess" | "onClose" | "token">;

/** The attributes of `<svc-connect>`, as they are written in HTML. */
export interface SvcConnectAttributes {
  readonly "application-id"?: string | undefined;
  readonly token?: string | undefined;
  readonly "brand-name"?: string | undefined;
  readonly domain?: string | undefined;
  readonly locale?: string | undefined;
  readonly "base-url"?: string | undefined;
  readonly "visit-url"?: string | undefined;
  readonly "connection-id"?: string | undefined;
  /** Present, and not `false`: with the step that sets up mail. */
  readonly email?: boolean | "" | undefined;
}

/**
 * The properties that frameworks set by their names. `onSuccess` and `onClose` are not among them:
 * frameworks take such names for events. Set those by a ref, or listen to `svc:success` and
 * `svc:close` of `window`.
 */
export interface SvcConnectProperties {
  readonly theme?: OpenOptions["theme"] | undefined;
  readonly getToken?: OpenOptions["getToken"] | undefined;
}

/** A server that renders a page imports this module too, and has no elements. */
const ElementBase: typeof HTMLElement =
  globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/**
 * `<svc-connect application-id token brand-name domain locale base-url visit-url connection-id
 * email>`: the inline widget. Options that are not strings are properties: `theme`, `getToken`,
 * `onSuccess`, `onClose`; `token` is both. It opens when it is in the document and has an
 * application and a token or `getToken`; it closes when it is removed.
 */
export class SvcConnectElement extends ElementBase {
  static readonly observedAttributes: readonly string[] = ["application-id", "token"];

  #properties: Properties = {};
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
    this.#properties = withoutUndefined({ ...this.#properties, ...properties });
    this.#start();
  }

  /** Opens the widget once; for other options a page inserts a new element. */
  #start(): void {
    const applicationId = this.getAttribute("application-id");
    const token = this.#properties.token ?? this.getAttribute("token") ?? undefined;
    const hasToken = token !== undefined || this.#properties.getToken !== undefined;
    if (this.#handle !== null || !this.isConnected || applicationId === null || !hasToken) return;
    const options = withoutUndefined({
      ...this.#properties,
      token,
      brandName: this.getAttribute("brand-name") ?? undefined,
      domain: this.getAttribute("domain") ?? undefined,
      locale: this.getAttribute("locale") ?? undefined,
      baseUrl: this.getAttribute("base-url") ?? undefined,
      visitUrl: this.getAttribute("visit-url") ?? undefined,
      connectionId: this.getAttribute("connection-id") ?? undefined,
    });
    this.#handle = open({
      ...options,
      applicationId,
      // Some frameworks write `false` as text.
      email: this.hasAttribute("email") && this.getAttribute("email") !== "false",
      container: this,
    });
  }
}

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes undefined properties, which makes the cast true. */
function withoutUndefined<T extends object>(object: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}

const registry: CustomElementRegistry | undefined = globalThis.customElements;
if (registry !== undefined && !registry.get("svc-connect")) {
  registry.define("svc-connect", SvcConnectElement);
}

declare global {
  interface HTMLElementTagNameMap {
    "svc-connect": SvcConnectElement;
  }
}
