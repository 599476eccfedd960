/** The appearance of the widget. An unsafe or invalid value is ignored. */
export interface Theme {
  /** Buttons and progress; any CSS colour. */
  readonly accentColor?: string;
  /** Text on the accent colour. Default: black or white, by contrast. */
  readonly accentTextColor?: string;
  /** A dark background selects the dark colour scheme. */
  readonly background?: string;
  readonly foreground?: string;
  /** A CSS length, like `12px`. */
  readonly radius?: string;
  /** An https URL. */
  readonly logoUrl?: string;
  readonly hideBranding?: boolean;
}

export interface OpenOptions {
  readonly applicationId: string;
  /** From `POST /v1/tokens`. Optional with `getToken`. */
  readonly token?: string;
  /**
   * The name of your product, as your customer knows it. Default: the application's brand or name.
   */
  readonly brandName?: string;
  /** Adds an optional step that sets up mail. */
  readonly email?: boolean;
  readonly theme?: Theme;
  /** Called when the domain is live. */
  readonly onSuccess?: (result: { readonly id: string; readonly domain: string }) => void;
  readonly onClose?: (result: {
    readonly id: string | null;
    readonly domain: string | null;
    readonly succeeded: boolean;
  }) => void;
  /** The service's URL. Default: the origin of the script. */
  readonly baseUrl?: string;
  /** The initial value of the domain field. */
  readonly domain?: string;
  /** `en`, `de`, `es`, `fr`, `pt-BR`, `ja` or `ar`. Default: the page's language. */
  readonly locale?: string;
  /**
   * Returns a new token when the current one has expired; the customer stays on the same screen.
   */
  readonly getToken?: () => Promise<string> | string;
  /**
   * Where "Open {domain}" leads, with `{domain}` in it; an http(s) URL. Default:
   * `https://{domain}/`.
   */
  readonly visitUrl?: string;
  /** Renders the widget inside this element instead of as a modal. */
  readonly container?: Element;
  /** Resumes this connection. */
  readonly connectionId?: string;
}

/** An open widget. */
export interface SvcHandle {
  /** Closes the widget without confirmation; the service continues its work. Idempotent. */
  readonly close: () => void;
}

export interface ParsedOptions {
  readonly applicationId: string;
  readonly token: string | null;
  readonly brandName: string | null;
  readonly email: boolean;
  readonly theme: Theme;
  readonly onSuccess: NonNullable<OpenOptions["onSuccess"]> | null;
  readonly onClose: NonNullable<OpenOptions["onClose"]> | null;
  readonly baseUrl: string;
  readonly domain: string;
  readonly locale: string | null;
  readonly getToken: NonNullable<OpenOptions["getToken"]> | null;
  readonly visitUrl: string;
  readonly container: Element | null;
  readonly connectionId: string | null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Validates a page's options; throws a TypeError that names the invalid one. */
export function parseOptions(options: OpenOptions, defaultBaseUrl: string | null): ParsedOptions {
  if (typeof options !== "object" || options === null) throw wrong("options", "an object");
  const { applicationId, token, getToken, connectionId, container } = options;
  if (typeof applicationId !== "string" || !uuid.test(applicationId)) {
    throw wrong("applicationId", "the id of an application");
  }
  if (connectionId !== undefined && !uuid.test(connectionId)) {
    throw wrong("connectionId", "the id of a connection");
  }
  if (token === undefined && getToken === undefined) {
    throw new TypeError("Svc.open: `token` or `getToken` is required");
  }
  if (container !== undefined && !(container instanceof Element)) {
    throw wrong("container", "an element");
  }
  return {
    applicationId,
    token: text("token", token, 1),
    brandName: text("brandName", options.brandName, 0)?.trim() || null,
    email: flag("email", options.email),
    theme: checkTheme(options.theme),
    onSuccess: callback("onSuccess", options.onSuccess),
    onClose: callback("onClose", options.onClose),
    baseUrl: parseBaseUrl(options.baseUrl ?? defaultBaseUrl),
    domain: text("domain", options.domain, 0) ?? "",
    locale: text("locale", options.locale, 0),
    getToken: callback("getToken", getToken),
    visitUrl: parseVisitUrl(options.visitUrl),
    container: container ?? null,
    connectionId: connectionId ?? null,
  };
}

function wrong(name: string, what: string): TypeError {
  return new TypeError(`Svc.open: \`${name}\` must be ${what}`);
}

function text(name: string, value: string | undefined, minLength: number): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || value.length < minLength) throw wrong(name, "a string");
  return value;
}

function flag(name: string, value: boolean | undefined): boolean {
  if (value !== undefined && typeof value !== "boolean") throw wrong(name, "true or false");
  return value ?? false;
}

function callback<F>(name: string, value: F | undefined): F | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "function") throw wrong(name, "a function");
  return value;
}

function checkTheme(theme: Theme | undefined): Theme {
  if (theme === undefined || theme === null) return {};
  if (typeof theme !== "object") throw wrong("theme", "an object");
  return theme;
}

function parseBaseUrl(value: string | null): string {
  if (value === null) {
    throw new TypeError(
      "Svc.open: `baseUrl` is required when the service did not serve the script",
    );
  }
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isPlain = url !== null && url.username === "" && url.password === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) throw wrong("baseUrl", "an http(s) address");
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

function parseVisitUrl(value: string | undefined): string {
  const url = text("visitUrl", value, 1) ?? "https://{domain}/";
  const parsed = URL.parse(url.replaceAll("{domain}", "example.com"), location.href);
  if (!/^https?:$/.test(parsed?.protocol ?? "")) throw wrong("visitUrl", "an http(s) address");
  return url;
}

/** The service that served the script, or null when the path is not `/sdk/v1/…`. */
export function baseUrlOfScript(src: string | null | undefined): string | null {
  const match = /^(https?:\/\/[^?#]*)\/sdk\/v1\/[\w.-]+(?:[?#]|$)/.exec(src ?? "");
  return match?.[1] ?? null;
}
