import type { NatsSettings } from "../config/settings.ts";
import type { InspectedFeed } from "./nats/inspect-stream.ts";

/** Reads what the stream says about itself; changes nothing. */
export async function inspectFeed(settings: NatsSettings): Promise<InspectedFeed> {
  // Loaded only here: an edge that is not fed by NATS has its libraries not in memory.
  const { inspectStream } = await import("./nats/inspect-stream.ts");
  return inspectStream(settings);
}
