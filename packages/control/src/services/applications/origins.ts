import { parseOriginUrl } from "@mooring/egress";
import { z } from "zod";
import type { Origin } from "../../domain/applications/application.ts";
import { type Issue, invalid } from "../../domain/errors.ts";

export const originUrl = z
  .string()
  .max(2_000)
  .refine(
    (text) => {
      const url = parseOriginUrl(text)?.url ?? null;
      return url !== null && url.username + url.password === "";
    },
    { error: "expected an http, https or h2c URL without credentials" },
  );

/** As the API shows one. */
export const OriginBody = z.object({ url: z.string(), weight: z.int() }).meta({ id: "Origin" });

export const origins = z
  .array(
    z.strictObject({
      url: originUrl,
      weight: z
        .int()
        .min(0)
        .max(1_000)
        .default(1)
        .describe("Its share of the requests; 0: only while no other takes any"),
    }),
  )
  .max(8)
  .describe("Where the edge proxies to, up to 8; the first is origin_url");

interface OriginInput {
  readonly origin_url?: string | null | undefined;
  readonly origins?: readonly Origin[] | undefined;
}

export interface Origins {
  readonly originUrl: string | null;
  readonly origins: readonly Origin[];
}

/**
 * The origins that a request sets; null when it sets none. `origin_url` is the first of `origins`:
 * one that is given alone replaces the whole list.
 */
export function originsIn(input: OriginInput): Origins | null {
  const { origin_url: url, origins: list } = input;
  if (list === undefined) {
    if (url === undefined) return null;
    return { originUrl: url, origins: url === null ? [] : [{ url, weight: 1 }] };
  }
  const issues = listIssues(list, url);
  if (issues.length > 0) throw invalid(issues);
  return { originUrl: list[0]?.url ?? null, origins: list };
}

function listIssues(list: readonly Origin[], url: string | null | undefined): readonly Issue[] {
  const seen = new Set<string>();
  const repeated = list.flatMap(({ url: one }, index): Issue[] => {
    if (!seen.has(one)) {
      seen.add(one);
      return [];
    }
    return [{ path: `origins.${index}.url`, message: "is in the list twice" }];
  });
  const isFirst = url === undefined || url === (list[0]?.url ?? null);
  if (isFirst) return repeated;
  return [...repeated, { path: "origin_url", message: "expected the first of origins" }];
}
