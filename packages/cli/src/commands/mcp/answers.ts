import { z } from "zod";

/**
 * What the tools answer, for programs. Words of a list that may grow are plain text, and further
 * fields may be there: an agent of today works with an API of tomorrow.
 */

/** A value of a schema as the API's own types have it. */
export type Answer<S extends z.ZodType> = Unchangeable<z.input<S>>;

type Unchangeable<T> = T extends readonly (infer E)[]
  ? readonly Unchangeable<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchangeable<T[K]> }
    : T;

/**
 * An object that may have more fields than these. Its type has only these, so that the compiler
 * compares each with the API's type of it.
 */
function open<S extends z.ZodRawShape>(shape: S): z.ZodObject<S> {
  return z.looseObject(shape) as unknown as z.ZodObject<S>;
}

/** An object of the API that depends on the change. */
const changeResult = z.looseObject({}) as unknown as z.ZodType<object, object>;
const text = z.string();
const textOrNull = z.string().nullable();
const actor = text.describe("Whose move it is: end_customer, tenant, operator or wait");
const nextCursor = textOrNull.describe("cursor of the next page; null on the last");
const counts = z.record(text, z.int());
const record = open({ host: text, type: text, value: text });

export const domainCheck = open({
  domain: text.describe("The hostname in its canonical form"),
  registered: z.boolean(),
  provider: textOrNull.describe("The DNS provider's name; null when unknown"),
  provider_slug: textOrNull,
  setup_type: text,
  zone: textOrNull,
  claim: text.describe("Who has the hostname: free, own, held or drifted"),
  dnssec: text,
  caa_allows: z.boolean().nullable(),
  record_conflicts: z.array(record).describe("Existing records that conflict"),
  warnings: z.array(text),
});

const finding = open({
  code: text,
  severity: text,
  title: text,
  evidence: z.array(text),
  actor,
  fix: text,
});

const connection = open({
  id: text,
  application_id: text,
  hostname: text,
  state: text,
  error_code: textOrNull,
  customer_ref: textOrNull,
  provider: textOrNull,
  needed_records: z.array(record).describe("What to ask the customer for, and nothing else"),
  observed_records: z.array(open({ host: text, type: text })),
  certificate: open({ status: text, not_after: textOrNull }),
});

export const explanation = open({
  diagnosis: open({
    connection_id: text,
    checked_at: text,
    summary: text.describe("One sentence: what is going on and whose move it is"),
    findings: z.array(finding).describe("The most hindering first; empty when all is well"),
  }),
  connection,
  events: z
    .array(
      open({
        id: text,
        kind: text,
        from_state: textOrNull,
        to_state: textOrNull,
        error_code: textOrNull,
        created_at: text,
      }),
    )
    .describe("The latest first"),
});

const listed = open({
  id: text,
  hostname: text,
  state: text,
  state_since: text,
  error_code: textOrNull,
  customer_ref: textOrNull,
  provider: textOrNull,
  summary: open({ code: text, actor, title: text }).nullable(),
});

export const stuckList = open({
  data: z.array(listed),
  has_more: z.boolean(),
  all: open({ by_state: counts, by_actor: counts }).describe("Totals of the whole tenant"),
});

export const connectionList = open({ data: z.array(listed), next_cursor: nextCursor });

export const applicationList = open({
  data: z.array(
    open({
      id: text,
      name: text,
      environment: text,
      origin_url: textOrNull.describe("Where the edge proxies to, unless a connection says other"),
      wildcards: z.boolean(),
      created_at: text,
    }),
  ),
  next_cursor: nextCursor,
});

export const plannedChange = open({
  plan_id: textOrNull.describe("For apply_plan; null when the change is not possible"),
  expires_at: textOrNull,
  title: text,
  effects: z.array(text).describe("One line each, for a person to read"),
  obstacle: textOrNull.describe("Why it is not possible; null when it is"),
  next: text,
  details: changeResult.describe("What the API found; it depends on the change"),
});

export const appliedPlan = open({
  applied: z.literal(true),
  title: text,
  result: changeResult.describe("What the API answered; it depends on the change"),
});
