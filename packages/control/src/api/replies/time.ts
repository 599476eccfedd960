import { z } from "zod";

/** Times on the wire: ISO 8601, UTC, milliseconds, `Z`. */
export const Time = z.string().meta({ format: "date-time" });
export const Uuid = z.string().meta({ format: "uuid" });

export function time(date: Date): string {
  return date.toISOString();
}

export function timeOrNull(date: Date | null): string | null {
  return date === null ? null : time(date);
}
