import { randomUUID } from "node:crypto";
import type { ConsoleWorld } from "./console-world.ts";

const hourMs = 3_600_000;
const hours = 40;

/**
 * Two days of visits, more by day than by night: an hour that no edge reported, one of which some
 * minutes are missing, and the hour that is under way.
 */
export async function stockTraffic(
  { session, tenant, app }: Pick<ConsoleWorld, "session" | "tenant" | "app">,
  applicationId: string,
  domains: ReadonlyMap<string, string>,
): Promise<void> {
  // Edges that never ran owe nothing.
  await session.query("delete from traffic_processes");
  const now = app.clock.now();
  const current = Math.floor(now.getTime() / hourMs) * hourMs;
  const connections = [...domains.values()].slice(0, 4);
  for (let back = 0; back < hours; back += 1) {
    if ([7, 8].includes(back)) continue;
    const hour = current - back * hourMs;
    const process = randomUUID();
    const daylight = 1 + Math.sin((new Date(hour).getUTCHours() / 24) * 2 * Math.PI - Math.PI / 2);
    for (let minute = 0; minute < 60; minute += 1) {
      if (hour + minute * 60_000 > now.getTime()) break;
      if (isLost(back, minute)) continue;
      const batch = {
        process,
        edge: `edge-${1 + (back % 2)}`,
        startedAt: new Date(hour),
        minute: new Date(hour + minute * 60_000),
        part: 0,
        parts: 1,
        isLast: minute === 59,
        others: 0,
        applications: [[tenant.tenant.id, "test", applicationId]],
        rows: minute === 0 ? rows([applicationId, ...connections], daylight, back) : [],
      };
      await session.query("select report_traffic($1, $2)", [JSON.stringify(batch), now]);
    }
  }
}

const isLost = (back: number, minute: number): boolean => back === 3 && minute > 20 && minute < 35;

function rows(subjects: readonly string[], daylight: number, back: number): unknown[] {
  return subjects.map((subject, index) => {
    const share = index === 0 ? 1.9 : 1 / index;
    const ok = Math.round(share * (200 + 900 * daylight));
    const failed = back === 5 ? Math.round(ok / 6) : back % 11 === 0 ? 3 : 0;
    const missing = Math.round(ok / 40);
    const times = [24, 27, 31].map((bucket, at) => {
      const count = Math.round((ok * (3 - at)) / 6);
      return (bucket + (back === 5 ? 6 : 0)) * 2 ** 40 + count;
    });
    const numbers = [2, 0, ok, 12, missing, failed, ok * 310, ok * 41_200, ok / 2, 4, 0];
    return [subject, 0, ...numbers.map(Math.round), times];
  });
}
