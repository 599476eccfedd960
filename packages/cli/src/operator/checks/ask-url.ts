import type { Config } from "@mooring/control";
import { type Finding, fail, ok } from "./finding.ts";

const check = "ask_url";
const timeoutMs = 3_000;
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type AskConfig = Pick<Config, "askUrl" | "port" | "internalPort">;

/** Where an edge asks before each certificate; a wrong one means that none is ever issued. */
export async function checkAskUrl(config: AskConfig): Promise<Finding> {
  const url = new URL(config.askUrl);
  const right = config.internalPort ?? config.port;
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const isHere = loopback.test(url.hostname);
  const mend = isHere
    ? `set ASK_URL to http://127.0.0.1:${right}/internal/ask, or leave it out`
    : "correct ASK_URL: it ends in /internal/ask, on INTERNAL_PORT where that is set";
  if (isHere && port !== right) {
    const detail = `ASK_URL names port ${port} of this machine, and the API answers on ${right}`;
    return fail(check, detail, mend);
  }
  const answer = await ask(url);
  if (answer === "allowing") {
    return fail(check, `${config.askUrl} allows a name that nobody has connected`, mend);
  }
  if (answer === "other") {
    return fail(check, `what answers at ${config.askUrl} is not Mooring's API`, mend);
  }
  if (answer === "refusing") return ok(check, `${config.askUrl} answers`);
  if (isHere) return ok(check, `${config.askUrl}, once the API runs`);
  return fail(check, `nothing answers at ${config.askUrl}`, mend);
}

/** RFC 6761: nobody can own a name under `invalid`, so that the answer must be no. */
const nobodys = "doctor.mooring.invalid";

async function ask(url: URL): Promise<"refusing" | "allowing" | "other" | "silent"> {
  const question = new URL(url);
  question.searchParams.set("domain", nobodys);
  try {
    const response = await fetch(question, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "manual",
    });
    const body: unknown = await response.json().catch(() => null);
    if (typeof body !== "object" || body === null || !("allow" in body)) return "other";
    return body.allow === false ? "refusing" : "allowing";
  } catch {
    return "silent"; // whatever the reason, an edge would get no answer either
  }
}
