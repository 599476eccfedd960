import { z } from "zod";
import type { TrafficSpan } from "../../db/queries/traffic/read-traffic.ts";
import { invalid } from "../../domain/errors.ts";

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** How long rows are stored. */
export const hourDays = 35;
export const dayDays = 400;

const time = z.iso.datetime({ offset: true });

export const spanQuery = {
  from: time
    .optional()
    .describe(
      "Rounded down to the hour or the day (UTC); by default 24 hours ago, by day 30 days ago",
    ),
  to: time.optional().describe("Rounded up in the same way; by default now"),
  step: z
    .enum(["hour", "day"])
    .default("hour")
    .describe(`Hours are stored for ${hourDays} days, days for ${dayDays}`),
};

interface SpanQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly step: "hour" | "day";
}

/** The asked time in whole steps, and when each of its steps begins. */
export interface SteppedSpan extends TrafficSpan {
  readonly step: "hour" | "day";
  readonly stepMs: number;
  readonly steps: readonly Date[];
}

export function readSpan(query: SpanQuery, now: Date): SteppedSpan {
  const { step } = query;
  const stepMs = step === "hour" ? hourMs : dayMs;
  const [usual, most] = step === "hour" ? [24, hourDays * 24] : [30, dayDays];
  const end = query.to === undefined ? now : new Date(query.to);
  const to = Math.ceil(Math.min(end.getTime(), now.getTime() + dayMs) / stepMs) * stepMs;
  const begin = query.from === undefined ? to - usual * stepMs : new Date(query.from).getTime();
  const from = Math.floor(begin / stepMs) * stepMs;
  const count = (to - from) / stepMs;
  if (count < 1) throw invalid([{ path: "from", message: "must be before `to`" }]);
  if (count > most) {
    throw invalid([{ path: "from", message: `at most ${most} ${step}s before \`to\`` }]);
  }
  const steps = Array.from({ length: count }, (_, index) => new Date(from + index * stepMs));
  return { from: new Date(from), to: new Date(to), step, stepMs, steps };
}
