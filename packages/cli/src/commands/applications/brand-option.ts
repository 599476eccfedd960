import type { Application, CreateApplication } from "@mooring/sdk";
import { usageFailure } from "../explain.ts";

type Brand = NonNullable<CreateApplication["brand"]>;

const keys = [
  "name",
  "logo_url",
  "color",
  "support_url",
] as const satisfies readonly (keyof Brand)[];

/**
 * `name=Acme color=#1a73e8` as a brand, which takes the place of the present one; `none` removes
 * it.
 */
export function brandIn(pairs: readonly string[]): Brand | null {
  if (pairs.length === 1 && pairs[0] === "none") return null;
  const brand: Partial<Record<(typeof keys)[number], string>> = {};
  for (const pair of pairs) {
    const [, name, text] = /^([a-z_]+)=(.+)$/s.exec(pair) ?? [];
    const key = keys.find((one) => one === name);
    if (key === undefined || text === undefined) {
      throw usageFailure(`${pair} is not one of ${keys.map((one) => `${one}=…`).join(", ")}`);
    }
    brand[key] = text;
  }
  return brand;
}

/** What is set, in one line; null when nothing is. */
export function brandLine(brand: Application["brand"]): string | null {
  if (brand === null) return null;
  return keys.flatMap((key) => (brand[key] === null ? [] : [`${key}=${brand[key]}`])).join(" ");
}
