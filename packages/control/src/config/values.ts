import { providerSlugs } from "@mooring/dns/lookup";
import { parseServers } from "@mooring/postgres";
import { z } from "zod";

/** The kinds of value of environment variables; each has a message that says what is expected. */
export function optional<T extends z.ZodType>(type: T) {
  return type.optional().transform((value) => value ?? null);
}

export function port() {
  return z
    .string()
    .regex(/^\d{1,5}$/, "expected a port number")
    .transform(Number)
    .refine((value) => value >= 0 && value <= 65_535, "expected a port number up to 65535");
}

export function count(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `expected a number from ${least} to ${most}`)
    .transform(Number)
    .refine(
      (value) => value >= least && value <= most,
      `expected a number from ${least} to ${most}`,
    );
}

/** Which private addresses may be dialled: none, those of this machine, or all. */
export function privateTargets() {
  return z
    .enum(["true", "false", "1", "0", "loopback"], { error: "expected true, false or loopback" })
    .transform((value) => (value === "loopback" ? value : value === "true" || value === "1"));
}

export function flag() {
  return z
    .enum(["true", "false", "1", "0"], { error: "expected true or false" })
    .transform((value) => value === "true" || value === "1");
}

/** How many: none for `false`, the usual number for `true`, or a number. */
export function flagOrCount({ on, most }: { readonly on: number; readonly most: number }) {
  const words = new Map([
    ["true", on],
    ["false", 0],
  ]);
  return z
    .string()
    .transform((text) => words.get(text) ?? (/^\d{1,15}$/.test(text) ? Number(text) : -1))
    .refine(
      (value) => value >= 0 && value <= most,
      `expected true, false, or a number from 0 to ${most}`,
    );
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function duration() {
  return z.string().transform((text, context) => {
    const match = /^(\d+)(ms|s|m|h|d)$/.exec(text);
    const unit = match?.[2];
    if (!match || (unit !== "ms" && unit !== "s" && unit !== "m" && unit !== "h" && unit !== "d")) {
      context.addIssue({ code: "custom", message: "expected a duration like 30s, 5m or 72h" });
      return z.NEVER;
    }
    return Number(match[1]) * unitMs[unit];
  });
}

export function list<T extends z.ZodType<string>>(item: T) {
  return z.string().transform((text, context) => {
    const values: string[] = [];
    for (const part of text.split(",").map((piece) => piece.trim())) {
      const parsed = item.safeParse(part);
      if (parsed.success) values.push(parsed.data);
      else {
        const why = parsed.error.issues[0]?.message ?? "not valid";
        context.addIssue({ code: "custom", message: `${part || "(empty)"}: ${why}` });
      }
    }
    return values;
  });
}

/** `ip` or `ip:port` of a name server. */
export function serverAddress() {
  return z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[0-9.]+|[0-9a-fA-F:]+)(:\d+)?$/, "expected ip or ip:port");
}

/** A program elsewhere, at a name or an address. */
export function hostAndPort() {
  return z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[0-9A-Za-z.-]+):([1-9]\d{0,4})$/, "expected host:port")
    .refine((text) => Number(text.slice(text.lastIndexOf(":") + 1)) < 65_536, "expected host:port");
}

export function cidrList() {
  return list(
    z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], { error: "expected an address or CIDR" }),
  );
}

export function hostname() {
  return z
    .string()
    .toLowerCase()
    .regex(
      /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
      "expected a hostname",
    );
}

export function url(protocols: readonly string[]) {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `expected a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    );
}

/**
 * Of one server, or of a primary and its standbys: `postgres://user@one:5432,two:5432/database`.
 */
export function databaseUrls() {
  return z
    .string()
    .refine(isDatabaseUrl, "expected a URL starting with postgres:// or postgresql://");
}

function isDatabaseUrl(text: string): boolean {
  try {
    return parseServers(text).length > 0;
  } catch {
    return false;
  }
}

export interface Limit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Token buckets by name; the numbers are those promised to clients, except `unauthorized`. */
const defaultLimits = {
  general: { perSecond: 100, burst: 200 },
  check: { perSecond: 10, burst: 20 },
  tokens: { perSecond: 20, burst: 40 },
  connection: { perSecond: 0.5, burst: 5 },
  // Per address. Keys hold 238 random bits, so this guards the database, not the key space.
  unauthorized: { perSecond: 1 / 6, burst: 200 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof defaultLimits;

/** `RATE_LIMITS=general=100:200,check=10:20` overrides buckets as perSecond:burst. */
export function limitTable() {
  return z
    .string()
    .default("")
    .transform((text, context): Readonly<Record<LimitName, Limit>> => {
      const table: Record<string, Limit> = { ...defaultLimits };
      for (const part of text.split(",").filter(Boolean)) {
        const match = /^\s*([a-z]+)=(\d+(?:\.\d+)?):(\d+)\s*$/.exec(part);
        const name = match?.[1];
        const limit = { perSecond: Number(match?.[2]), burst: Number(match?.[3]) };
        // A bucket that never fills or has no room would refuse every request.
        const isUsable = limit.perSecond > 0 && limit.burst > 0;
        if (!name || !Object.hasOwn(defaultLimits, name) || !isUsable) {
          const names = Object.keys(defaultLimits).join(", ");
          context.addIssue({
            code: "custom",
            message: `${part}: expected name=perSecond:burst (${names})`,
          });
        } else {
          table[name] = limit;
        }
      }
      return { ...defaultLimits, ...table };
    });
}

/** Checked, because a misspelt slug would leave a provider on that should be off. */
export function providerSlug() {
  return z.string().refine((slug) => providerSlugs.has(slug), "no such DNS provider");
}
