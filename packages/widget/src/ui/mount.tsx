import { render } from "../jsx/render.ts";
import { enFirst } from "../locales/en-first.ts";
import { loadMessages, matchLocale } from "../locales/load.ts";
import { createWords, type Words } from "../locales/translate.ts";
import { errorDetail } from "../machine/announcements.ts";
import type { State } from "../machine/state.ts";
import type { ParsedOptions } from "../options.ts";
import { problemOf } from "../runner/api.ts";
import { createSession, type Session } from "../runner/session.ts";
import { applyTheme } from "../theme/apply.ts";
import { type SafeTheme, sanitiseTheme } from "../theme/sanitise.ts";
import { App } from "./app.tsx";
import { hasFocus, moveFocus } from "./focus.ts";
import type { Later } from "./later.tsx";
import { createShell, type Shell } from "./shell.ts";
import { tell } from "./tell.ts";

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
  const send: Session["dispatch"] = (happening) => session?.dispatch(happening);
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
  const start = (words: Words) => {
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
  if (locale === "en") start(createWords(enFirst));
  else {
    void loadMessages(locale, options.baseUrl, (input, init) => fetch(input, init)).then(
      (messages) => ending.signal.aborted || start(createWords({ ...enFirst, ...messages })),
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
  readonly words: Words;
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
