import type { Delivery } from "@mooring/sdk";
import { type Column, formatTime, orDash, painted } from "../text/table.ts";

/** Of one receiver, and of all of them. */
export const deliveryColumns: readonly Column<Delivery>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "EVENT", cell: ({ event_type }) => event_type },
  { heading: "STATUS", cell: ({ status }) => painted(status) },
  { heading: "TRIES", cell: ({ attempts }) => String(attempts.length) },
  { heading: "LAST ANSWER", cell: lastAnswer, isElastic: true },
  { heading: "NEXT TRY", cell: ({ next_attempt_at }) => formatTime(next_attempt_at) },
  { heading: "CREATED", cell: ({ created_at }) => formatTime(created_at) },
];

function lastAnswer({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return "–";
  return last.status_code === null
    ? orDash(last.error)
    : `${last.status_code} in ${last.latency_ms} ms`;
}
