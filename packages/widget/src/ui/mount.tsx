import type { CloseDetail, ErrorDetail, SvcEvent } from "../events.ts";
import { render } from "../jsx-runtime.ts";
import { enFirst } from "../locales/en-first.ts";
import {
  createTranslator,
  loadMessages,
  matchLocale,
  type Translator,
} from "../locales/messages.ts";
import type { State } from "../machine/state.ts";
import { type OpenOptions, type ParsedOptions, parseOptions, type SvcHandle } from "../options.ts";
import type { Session } from "../runner/session.ts";
import { applyTheme, type SafeTheme, sanitiseTheme } from "../theme.ts";
import { type Announcer, createAnnouncer } from "./announcer.ts";
import { App } from "./app.tsx";
import type { Later } from "./later.tsx";
import { createPrelude, type Prelude } from "./prelude.ts";
import { createReveal } from "./reveal.ts";
import { createShell, hasFocus, moveFocus, type Shell } from "./shell.ts";
import type { Speaker } from "./words.ts";

/** Fetches the later screens from the service at `baseUrl`; rejects when that fails. */
export type LoadLater = (baseUrl: string, attempt: number) => Promise<Later>;

let modal: SvcHandle | null = null;

/** Opens the widget. Throws a TypeError for an invalid option. */
export function openWidget(
  options: OpenOptions,
  defaultBaseUrl: string | null,
  loadLater: LoadLater,
): SvcHandle {
  const parsed = parseOptions(options, defaultBaseUrl);
  if (parsed.container !== null) return mount(parsed, loadLater);
  // There is one modal at a time: a new one closes the old one.
  modal?.close();
  modal = mount(parsed, loadLater);
  return modal;
}

/** Adds a widget to the page and renders it until it is closed. */
function mount(options: ParsedOptions, loadLater: LoadLater): SvcHandle {
  const theme = sanitiseTheme(options.theme, (value) => CSS.supports("color", value));
  const locale = matchLocale([options.locale, document.documentElement.lang, navigator.language]);
  const ending = new AbortController();
  let session: Session | null = null;
  let prelude: Prelude | null = null;
  const send: Session["dispatch"] = (event) => (session ?? prelude)?.dispatch(event);
  const shell = createShell(options.container, () => send({ type: "close_asked" }));
  shell.root.lang = locale;
  // The widget's own language decides, whatever the direction of the page.
  shell.root.dir = locale === "ar" ? "rtl" : "ltr";
  const untheme = applyTheme(shell.root, theme);
  const leave = () => {
    if (ending.signal.aborted) return;
    ending.abort();
    session?.stop();
    untheme();
    shell.remove();
  };
  const start = (translator: Translator) => {
    const view = createView(shell, options, theme, { translator, locale, send });
    const first = createPrelude(options, {
      onState: view.draw,
      onClosed() {
        leave();
        notifyPage(options, { name: "svc:close", detail: closedEarly });
      },
    });
    prelude = first;
    for (const detail of themeErrors(theme)) notifyPage(options, { name: "svc:error", detail });
    const begin = (later: Later) => {
      view.add(later);
      session = later.createSession(
        window,
        { ...options, domain: first.input() },
        {
          onState: view.draw,
          onEvent: (event) => notifyPage(options, event),
          onClosed: leave,
        },
      );
      if (first.isSubmitted()) send({ type: "submitted" });
    };
    const load = (attempt: number) => loadLater(options.baseUrl, attempt);
    void addLater(load, 0, ending.signal, begin, send);
  };
  if (locale === "en") start(createTranslator(enFirst));
  else {
    void loadMessages(locale, options.baseUrl, (input, init) => fetch(input, init)).then(
      (messages) =>
        ending.signal.aborted || start(createTranslator({ ...enFirst, ...messages }, locale)),
    );
  }
  return { close: () => (session === null && prelude === null ? leave() : send({ type: "left" })) };
}

/** Nothing has happened yet. */
const nothing = { domain: null, provider: null, jobId: null } as const;

const closedEarly: CloseDetail = {
  ...nothing,
  success: false,
  setupType: null,
  lastStatus: null,
  reason: "user",
};

/** An invalid theme value is ignored and reported to the page as `svc:error`. */
function themeErrors({ refused }: SafeTheme): readonly ErrorDetail[] {
  return refused.map((key) => ({
    ...nothing,
    step: "enter_domain",
    code: "invalid_theme",
    message: `theme.${key} is not safe, or not what it takes`,
    upgradeUrl: null,
  }));
}

const retryAfterMs = 2_000;

/** Loads the later screens; retries until it succeeds or the widget is closed. */
async function addLater(
  load: (attempt: number) => Promise<Later>,
  attempt: number,
  signal: AbortSignal,
  add: (later: Later) => void,
  send: Session["dispatch"],
): Promise<void> {
  try {
    const later = await load(attempt);
    if (!signal.aborted) add(later);
  } catch {
    if (signal.aborted) return;
    send({ type: "went_offline" });
    setTimeout(() => {
      send({ type: "went_online" });
      void addLater(load, attempt + 1, signal, add, send);
    }, retryAfterMs);
  }
}

interface ViewContext {
  readonly translator: Translator;
  readonly locale: string;
  readonly send: Session["dispatch"];
}

function createView(
  shell: Shell,
  options: ParsedOptions,
  theme: SafeTheme,
  { translator, locale, send }: ViewContext,
) {
  const { t } = translator;
  const fixed = { isInline: options.container !== null, hasBranding: !theme.hideBranding };
  let later: Later | null = null;
  let speaker: Speaker | null = null;
  let shown: State | null = null;
  const announcer = createAnnouncer();
  const reveal = createReveal(() => matchMedia("(prefers-reduced-motion: reduce)").matches);
  const draw = (requested: State, isNew = true) => {
    const state = speaker?.translate(requested) ?? requested;
    const before = shown;
    if (before !== null)
      announce(announcer, before, state, later?.liveText(before, state, t, locale) ?? null);
    shown = state;
    const say = (text: string) => {
      announcer.say(text);
      draw(shown ?? state);
    };
    const brand = chooseBrand(options, state);
    const isUnnamed = options.brandName === null && state.settings === null;
    const logoUrl = theme.logoUrl ?? safeLogo(state);
    const visitUrl = (domain: string) => options.visitUrl.replaceAll("{domain}", domain);
    const didYouMean = later?.didYouMean ?? (() => null);
    const ui = { state, t, locale, brand, visitUrl, didYouMean, send, say };
    // An inline widget does not take the focus from the rest of the page.
    const mayFocus = !fixed.isInline || hasFocus(shell.root);
    if (before?.settings !== state.settings) paintBrand(shell.root, theme, state);
    render(
      <App
        {...fixed}
        logoUrl={logoUrl}
        isUnnamed={isUnnamed}
        later={later}
        live={announcer.current()}
        ui={ui}
      />,
      shell.root,
    );
    reveal.afterRender(shell.root, before?.step !== state.step);
    if (mayFocus) moveFocus(shell.root, isNew ? before : null, state, later?.screenPart);
  };
  const add = (loaded: Later) => {
    later = loaded;
    translator.add(loaded.messages);
    shell.addStyles(loaded.css);
    speaker = loaded.createSpeaker(locale, options.baseUrl);
    void speaker.ready.then(() => shown && draw(shown));
    // When the current step has a later screen, it replaces the placeholder and gets the focus.
    if (shown !== null) draw(shown, !(shown.step in loaded.screens));
  };
  return { draw: (state: State) => draw(state), add };
}

/** The page's own name for the product, else the application's, else where the page is. */
function chooseBrand({ brandName }: ParsedOptions, { settings }: State): string {
  const known = brandName ?? settings?.brand?.name ?? settings?.application_name;
  return known ?? (location.hostname || document.title);
}

function safeLogo({ settings }: State): string | null {
  return brandTheme(settings?.brand?.logo_url, null).logoUrl;
}

function brandTheme(logoUrl: string | null | undefined, accentColor: string | null): SafeTheme {
  const requested = {
    ...(logoUrl == null ? {} : { logoUrl }),
    ...(accentColor === null ? {} : { accentColor }),
  };
  return sanitiseTheme(requested, (value) => CSS.supports("color", value));
}

/** The application's colour, unless the page has given one. */
function paintBrand(root: HTMLElement, theme: SafeTheme, { settings }: State): void {
  const { accentColor } = brandTheme(null, settings?.brand?.color ?? null);
  if (theme.accentColor === null && accentColor !== null)
    applyTheme(root, { ...theme, accentColor });
}

/** A change is announced once; a change of screen is announced by the focus on its heading. */
function announce(announcer: Announcer, before: State, after: State, text: string | null): void {
  if (text !== null) announcer.say(text);
  else if (before.step !== after.step || before.overlay !== after.overlay) announcer.clear();
}

/** Fires the event on `window`, then calls the page's callback. */
function notifyPage(options: ParsedOptions, event: SvcEvent): void {
  window.dispatchEvent(new CustomEvent(event.name, { detail: event.detail }));
  try {
    callBack(options, event);
  } catch (error) {
    // An error of the page's callback is reported as the page's and does not stop the widget.
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
