import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Firefox of Debian, by WebDriver BiDi, which it speaks itself. */
export interface Firefox {
  openTab(): Promise<FirefoxTab>;
  close(): Promise<void>;
}

export interface FirefoxTab {
  /** Resolves when the page is loaded. */
  goto(url: string): Promise<void>;
  /** The result of a script in the page, as text; a promise is awaited. */
  evaluate(expression: string): Promise<string>;
  resize(width: number, height: number): Promise<void>;
  /** Presses and releases each key, as a keyboard does: a character, or one of `keys`. */
  press(...pressed: readonly string[]): Promise<void>;
  /** A picture in PNG. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** WebDriver's names of keys that write nothing. */
export const keys = { tab: "\uE004", enter: "\uE007", escape: "\uE00C" } as const;

export interface FirefoxOptions {
  /** Host names that lead to this machine. */
  readonly localDomains?: string;
  readonly colorScheme?: "light" | "dark";
}

export async function launchFirefox({
  localDomains = "",
  colorScheme = "light",
}: FirefoxOptions = {}): Promise<Firefox> {
  const profile = await mkdtemp(path.join(tmpdir(), "mooring-firefox-"));
  const preferences = {
    "network.dns.localDomains": localDomains,
    "network.proxy.type": 0,
    "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
    "ui.prefersReducedMotion": 1,
    "app.update.enabled": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "browser.startup.page": 0,
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(path.join(profile, "user.js"), lines.join("\n"));
  const env = { PATH: process.env["PATH"], HOME: profile, MOZ_HEADLESS: "1" };
  const args = ["--headless", "--profile", profile, "--remote-debugging-port", "0"];
  const child = spawn("/usr/bin/firefox-esr", args, { env, stdio: ["ignore", "ignore", "pipe"] });
  // From the start: a Firefox that has ended by itself emits nothing later.
  const exited = once(child, "exit");
  const bidi = await openBidi(await readEndpoint(child));
  await bidi.send("session.new", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  return {
    openTab: () => openTab(bidi),
    async close() {
      bidi.close();
      child.kill("SIGKILL");
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Bidi = Awaited<ReturnType<typeof openBidi>>;

async function openTab(bidi: Bidi): Promise<FirefoxTab> {
  const { context } = await bidi.send("browsingContext.create", { type: "tab" });
  return {
    async goto(url) {
      await bidi.send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    evaluate: async (expression) =>
      readText(
        await bidi.send("script.evaluate", {
          expression,
          target: { context },
          awaitPromise: true,
        }),
      ),
    async resize(width, height) {
      await bidi.send("browsingContext.setViewport", { context, viewport: { width, height } });
    },
    async press(...pressed) {
      const actions = pressed.flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      const source = { type: "key", id: "keyboard", actions };
      await bidi.send("input.performActions", { context, actions: [source] });
    },
    async screenshot() {
      const { data } = await bidi.send("browsingContext.captureScreenshot", { context });
      return Buffer.from(String(data), "base64");
    },
    async close() {
      await bidi.send("browsingContext.close", { context });
    },
  };
}

/** Firefox prints where it listens. */
async function readEndpoint({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("Firefox has no output");
  let output = "";
  for await (const chunk of stderr) {
    output += String(chunk);
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
    if (found === undefined) continue;
    stderr.resume();
    return `${found}/session`;
  }
  throw new Error(`Firefox ended: ${output}`);
}

type Json = Readonly<Record<string, unknown>>;

/** Commands and their results, by number. */
async function openBidi(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<unknown, (answer: Json) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Json;
    waiting.get(answer["id"])?.(answer);
    waiting.delete(answer["id"]);
  });
  await once(socket, "open");
  let last = 0;
  return {
    close: () => socket.close(),
    async send(method: string, params: object): Promise<Json> {
      last += 1;
      const id = last;
      const answered = new Promise<Json>((resolve) => waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const answer = await answered;
      const { result } = answer;
      if (typeof result !== "object" || result === null) throw new Error(JSON.stringify(answer));
      return Object.fromEntries(Object.entries(result));
    },
  };
}

function readText({ result, exceptionDetails }: Json): string {
  const isValue = typeof result === "object" && result !== null && "value" in result;
  return isValue ? String(result.value) : `failed: ${JSON.stringify(exceptionDetails)}`;
}
