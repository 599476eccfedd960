import { z } from "zod";

/** The kinds of value of the settings that are given for each CA, by the URL of its directory. */

/** The URL holds no `=`; the value may. */
const entry = /^(https?:\/\/[^=\s]+)=(\S+)$/;

function byDirectory<T>(expected: string, read: (value: string) => T | null) {
  return z
    .string()
    .default("")
    .transform((text, context): Readonly<Record<string, T>> => {
      const table: Record<string, T> = {};
      for (const part of text.split(",").map((piece) => piece.trim())) {
        if (part === "") continue;
        const [, directory, value] = entry.exec(part) ?? [];
        const found = value === undefined ? null : read(value);
        if (directory === undefined || found === null) {
          const shown = part.split("=")[0] ?? "";
          context.addIssue({ code: "custom", message: `${shown}: expected ${expected}` });
        } else table[directory] = found;
      }
      return table;
    });
}

/** `https://ca.example/directory=shortlived,…`; `none` for the CA's default profile. */
export function profileTable() {
  return byDirectory("directory-url=profile", (value) =>
    /^[A-Za-z0-9_.-]{1,64}$/.test(value) ? value : null,
  );
}

/** `https://ca.example/directory=kid:key,…`; the key in base64url. A message never shows it. */
export function externalAccountTable() {
  return byDirectory("directory-url=kid:key", (value) => {
    const [, kid, hmacKey] = /^(.+):([A-Za-z0-9_=-]+)$/.exec(value) ?? [];
    return kid === undefined || hmacKey === undefined ? null : { kid, hmacKey };
  });
}

const count = z.int().min(1).max(1_000_000).optional();

const limits = z
  .strictObject({
    orders_per_3h: count,
    certificates_per_domain_per_week: count,
    certificates_per_name_per_week: count,
    failures_per_name_per_hour: count,
    renewals_per_minute: count,
    tenant_share: z.number().min(0).max(1).optional(),
  })
  .transform((set) =>
    withoutUnset({
      ordersPer3Hours: set.orders_per_3h,
      certificatesPerDomainPerWeek: set.certificates_per_domain_per_week,
      certificatesPerNamePerWeek: set.certificates_per_name_per_week,
      failuresPerNamePerHour: set.failures_per_name_per_hour,
      renewalsPerMinute: set.renewals_per_minute,
      tenantShare: set.tenant_share,
    }),
  );

/** What is not set keeps its default. */
function withoutUnset<T extends object>(set: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(set).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const limitTable = z.record(
  z.union([z.literal("*"), z.url({ protocol: /^https?$/ })], {
    error: "expected the URL of a directory or *",
  }),
  limits,
);

/** JSON by directory, `*` for those that are not named: `{"*": {"orders_per_3h": 300}}`. */
export function issuanceLimits() {
  return z
    .string()
    .default("{}")
    .transform((text, context) => {
      const parsed = limitTable.safeParse(parsedJson(text));
      if (parsed.success) return parsed.data;
      for (const issue of parsed.error.issues) {
        const message = [...issue.path, issue.message].join(": ");
        context.addIssue({ code: "custom", message });
      }
      return z.NEVER;
    });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // refused below: not an object
  }
}
