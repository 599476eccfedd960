import type { Config } from "@mooring/control";
import { type Finding, fail, ok, warn } from "./finding.ts";

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The public address of the API, which browsers and webhook receivers get. */
export function checkBaseUrl(
  config: Pick<Config, "baseUrl" | "port">,
  isProduction: boolean,
): Finding {
  const name = "base_url";
  const url = new URL(config.baseUrl);
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    const fix = "give scheme, host and port only, as in https://connect.example.com";
    return fail(name, "BASE_URL has more than scheme, host and port", fix);
  }
  const isLocal = loopback.test(url.hostname);
  const port = effectivePort(url);
  if (isLocal && port !== config.port) {
    return fail(
      name,
      `BASE_URL names port ${port} of this machine, and the API listens on ${config.port}`,
      `set BASE_URL to http://localhost:${config.port}, or PORT to ${port}`,
    );
  }
  if (isProduction && (isLocal || url.protocol === "http:")) {
    const what = isLocal ? "is reachable from this machine only" : "is not encrypted";
    return warn(
      name,
      `BASE_URL is ${url.origin}, which ${what}`,
      "set it to the public https address of the API",
    );
  }
  return ok(name, config.baseUrl);
}

const timeoutMs = 3_000;

type AskConfig = Pick<Config, "askUrl" | "port" | "internalListener">;

/** The address that an edge asks before each certificate; with a wrong one none is issued. */
export async function checkAskUrl(config: AskConfig): Promise<Finding> {
  const check = "ask_url";
  const url = new URL(config.askUrl);
  const right = config.internalListener?.port ?? config.port;
  const port = effectivePort(url);
  const isHere = loopback.test(url.hostname);
  const fix = isHere
    ? `set ASK_URL to http://127.0.0.1:${right}/internal/ask, or leave it out`
    : "correct ASK_URL: it ends in /internal/ask, on INTERNAL_PORT where that is set";
  if (isHere && port !== right) {
    const detail = `ASK_URL names port ${port} of this machine, and the API answers on ${right}`;
    return fail(check, detail, fix);
  }
  const answer = await ask(url);
  if (answer === "allowing") {
    return fail(check, `${config.askUrl} allows a name that is not connected`, fix);
  }
  if (answer === "other") {
    return fail(check, `what answers at ${config.askUrl} is not Mooring's API`, fix);
  }
  if (answer === "refusing") return ok(check, `${config.askUrl} answers`);
  if (isHere) return ok(check, `${config.askUrl}, once the API runs`);
  return fail(check, `nothing answers at ${config.askUrl}`, fix);
}

/** A name under `invalid` cannot be registered (RFC 6761), so the API must refuse it. */
const invalidName = "doctor.mooring.invalid";

async function ask(url: URL): Promise<"refusing" | "allowing" | "other" | "unreachable"> {
  const question = new URL(url);
  question.searchParams.set("domain", invalidName);
  try {
    const response = await fetch(question, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "manual",
    });
    const body: unknown = await response.json().catch(() => null);
    if (typeof body !== "object" || body === null || !("allow" in body)) return "other";
    return body.allow === false ? "refusing" : "allowing";
  } catch {
    return "unreachable"; // an edge would get no answer either
  }
}

/** What everybody may read at the public address though it is for edges and monitoring alone. */
export async function checkPrivatePaths(
  { baseUrl }: Pick<Config, "baseUrl">,
  isProduction: boolean,
): Promise<Finding> {
  const check = "private_paths";
  if (!isProduction) return ok(check, "on the public port, which is fine on a development machine");
  const [asked, hasMetrics] = await Promise.all([
    ask(new URL("/internal/ask", baseUrl)),
    showsMetrics(new URL("/metrics", baseUrl)),
  ]);
  const isAsked = asked === "refusing" || asked === "allowing";
  const open = [...(isAsked ? ["/internal/*"] : []), ...(hasMetrics ? ["/metrics"] : [])];
  if (open.length === 0) return ok(check, `not at ${baseUrl}`);
  return fail(
    check,
    `everybody can read ${open.join(" and ")} at ${baseUrl}: customers' hostnames, and figures`,
    "let the proxy in front pass to PORT alone, and give INTERNAL_PORT to nobody but edges and Prometheus",
  );
}

async function showsMetrics(url: URL): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { signal, redirect: "manual" });
    return response.ok && (await response.text()).includes("mooring_");
  } catch {
    return false; // nobody reads what does not answer
  }
}

function effectivePort(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}
