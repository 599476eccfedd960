import type { SvcEvent } from "../events.ts";
import { render } from "../jsx-runtime.ts";
import { enFirst } from "../locales/en-first.ts";
import {
  createTranslator,
  loadMessages,
  matchLocale,
  type Translator,
} from "../locales/messages.ts";
import { errorDetail } from "../machine/machine.ts";
import type { State } from "../machine/state.ts";
import { type OpenOptions, type ParsedOptions, parseOptions } from "../options.ts";
import { problemOf } from "../runner/api.ts";
import { createSession, type Session } from "../runner/session.ts";
import { applyTheme, type SafeTheme, sanitiseTheme } from "../theme.ts";
import { App } from "./app.tsx";
import type { Later } from "./later.tsx";
import { createShell, hasFocus, moveFocus, type Shell } from "./shell.ts";

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

export interface Mounted {
  /** Closes it without asking; a second time does nothing. */
  readonly close: () => void;
}

/** Gets the later screens of the service at this address; rejects when it cannot be reached. */
export type LoadLater = (baseUrl: string, attempt: number) => Promise<Later>;

/** Puts a widget on the page and keeps it drawn until it is closed. */
export function mount(options: ParsedOptions, loadLater: LoadLater): Mounted {
  const theme = sanitiseTheme(options.theme, (value) => CSS.supports("color", value));
  const locale = matchLocale([options.locale, document.documentElement.lang, navigator.language]);
  const ending = new AbortController();
  let session: Session | null = null;
  const send: Session["dispatch"] = (event) => session?.dispatch(event);
  const shell = createShell(options.container, () => send({ type: "close_asked" }));
  shell.root.lang = locale;
  // Every language that is served is written from left to right, whatever the page around it is.
  shell.root.dir = "ltr";
  const untheme = applyTheme(shell.root, theme);
  const leave = () => {
    if (ending.signal.aborted) return;
    ending.abort();
    session?.stop();
    untheme();
    shell.remove();
  };
  const start = (words: Translator) => {
    const drawing = createDrawing(shell, options, theme, { words, locale, send });
    session = createSession(window, options, {
      onState: drawing.draw,
      onEvent: (event) => tell(options, event),
      onClosed: leave,
    });
    void addLater(
      (attempt) => loadLater(options.baseUrl, attempt),
      0,
      ending.signal,
      drawing.add,
      send,
    );
  };
  if (locale === "en") start(createTranslator(enFirst));
  else {
    void loadMessages(locale, options.baseUrl, (input, init) => fetch(input, init)).then(
      (messages) => ending.signal.aborted || start(createTranslator({ ...enFirst, ...messages })),
    );
  }
  return { close: () => (session === null ? leave() : send({ type: "left" })) };
}

const tryAgainMs = 2_000;

/** Until they are there, or nobody waits any more. */
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
    }, tryAgainMs);
  }
}

interface Speech {
  readonly words: Translator;
  readonly locale: string;
  readonly send: Session["dispatch"];
}

function createDrawing(
  shell: Shell,
  options: ParsedOptions,
  theme: SafeTheme,
  { words, locale, send }: Speech,
) {
  const { t } = words;
  const brand = options.brandName ?? (location.hostname || document.title);
  const fixed = {
    isInline: options.container !== null,
    hasBranding: !theme.hideBranding,
    logoUrl: theme.logoUrl,
  };
  let later: Later | null = null;
  let shown: State | null = null;
  let live = "";
  const draw = (state: State, isNew = true) => {
    const before = shown;
    if (before === null) tellRefused(options, theme, state);
    else live = later?.liveText(before, state, t) ?? live;
    shown = state;
    const say = (text: string) => {
      live = text;
      draw(shown ?? state);
    };
    const ui = { state, t, locale, brand, send, say };
    // A widget within the page does not take the focus away from the rest of it.
    const mayFocus = !fixed.isInline || hasFocus(shell.root);
    render(<App {...fixed} later={later} live={live} ui={ui} />, shell.root);
    if (mayFocus) moveFocus(shell.root, isNew ? before : null, state);
  };
  const add = (loaded: Later) => {
    later = loaded;
    words.add(loaded.messages);
    shell.addStyles(loaded.css);
    // Where one of them is due, it takes the place of the one that waits.
    if (shown !== null) draw(shown, !(shown.step in loaded.screens));
  };
  return { draw: (state: State) => draw(state), add };
}

/** A theme's mistake does not stop a customer, but whoever wrote it should know. */
function tellRefused(options: ParsedOptions, { refused }: SafeTheme, state: State): void {
  for (const key of refused) {
    const problem = problemOf("invalid_theme", `theme.${key} is not safe, or not what it takes`);
    tell(options, { name: "svc:error", detail: errorDetail(state, problem) });
  }
}

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
