import type { ConnectionEdge, UpdateApplication, UpdateConnection } from "@mooring/sdk";

/** Whose rule holds: none, the one in the form, or for a domain the application's. */
export type Choice = "inherit" | "off" | "own";

/** The form as texts. */
export interface RuleValues {
  readonly rate_limit: Choice;
  readonly requests: string;
  readonly perSeconds: string;
  readonly by: "visitor" | "host";
  readonly allow: Choice;
  readonly allowed: string;
  readonly deny: Choice;
  readonly denied: string;
  readonly maintenance: Choice;
  /** In the browser's time zone, as the control has it; empty without an end. */
  readonly until: string;
  readonly page: string;
  readonly basic_auth: Choice;
  readonly username: string;
  /** Empty: the one that is stored stays. */
  readonly password: string;
}

export type RuleName = "rate_limit" | "allow" | "deny" | "maintenance" | "basic_auth";

/** `absent` is what null means there; a maintenance that has ended is none. */
export function readRules(
  edge: ConnectionEdge | null,
  absent: "inherit" | "off",
  now = Date.now(),
): RuleValues {
  const { rate_limit = null, allow = null, deny = null } = edge ?? {};
  const { maintenance = null, basic_auth = null } = edge ?? {};
  const choose = (rule: unknown): Choice =>
    rule === null ? absent : rule === "off" ? "off" : "own";
  const limit = own(rate_limit);
  const closed = own(maintenance);
  const hasEnded = closed !== null && closed.until !== null && Date.parse(closed.until) <= now;
  return {
    rate_limit: choose(rate_limit),
    requests: String(limit?.requests ?? 100),
    perSeconds: String(limit?.per_s ?? 60),
    by: limit?.by ?? "visitor",
    allow: choose(allow),
    allowed: own(allow)?.join("\n") ?? "",
    deny: choose(deny),
    denied: own(deny)?.join("\n") ?? "",
    maintenance: hasEnded ? absent : choose(maintenance),
    until: hasEnded ? "" : toLocal(closed?.until ?? null),
    page: closed?.page ?? "",
    basic_auth: choose(basic_auth),
    username: own(basic_auth)?.username ?? "",
    password: "",
  };
}

/** What of the form an application is changed to. */
export function applicationRules(values: RuleValues): NonNullable<UpdateApplication["edge"]> {
  const rules = ownRules(values);
  return {
    rate_limit: values.rate_limit === "own" ? rules.rate_limit : null,
    allow: values.allow === "own" ? rules.allow : null,
    deny: values.deny === "own" ? rules.deny : null,
    maintenance: values.maintenance === "own" ? rules.maintenance : null,
    ...(values.basic_auth === "own" ? rules.credentials : { basic_auth: null }),
  };
}

/** The same for a domain. */
export function connectionRules(values: RuleValues): NonNullable<UpdateConnection["edge"]> {
  const rules = ownRules(values);
  const choose = <T>(choice: Choice, rule: T): T | "off" | null =>
    choice === "own" ? rule : choice === "off" ? "off" : null;
  return {
    rate_limit: choose(values.rate_limit, rules.rate_limit),
    allow: choose(values.allow, rules.allow),
    deny: choose(values.deny, rules.deny),
    maintenance: choose(values.maintenance, rules.maintenance),
    ...(values.basic_auth === "own"
      ? rules.credentials
      : { basic_auth: values.basic_auth === "off" ? ("off" as const) : null }),
  };
}

function ownRules(values: RuleValues) {
  const { username, password, by, page } = values;
  return {
    rate_limit: { requests: Number(values.requests), per_s: Number(values.perSeconds), by },
    allow: parseLines(values.allowed),
    deny: parseLines(values.denied),
    maintenance: {
      until: values.until === "" ? null : new Date(values.until).toISOString(),
      page: page.trim() === "" ? null : page,
    },
    credentials: password === "" ? {} : { basic_auth: { username, password } },
  };
}

function own<T extends object>(rule: T | "off" | null): T | null {
  return rule === "off" ? null : rule;
}

function parseLines(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** `2026-11-18T10:30` in the browser's time zone. */
function toLocal(time: string | null): string {
  if (time === null) return "";
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
