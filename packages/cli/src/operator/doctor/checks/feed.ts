import { byVariable, type Config } from "@mooring/control/settings";
import { type InspectedFeed, inspectFeed } from "@mooring/edge";
import { type Finding, fail, ok, warn } from "./finding.ts";

const check = "nats";
/** The stream is confirmed every two seconds. */
const tolerableMs = 60_000;

/** Whether edges without the database would be given their hosts and certificates. */
export async function checkFeed(config: Config): Promise<readonly Finding[]> {
  if (config.natsUrls.length === 0) return [];
  return [judgeFeed(await inspectFeed(byVariable(config)), config, new Date())];
}

export function judgeFeed(
  feed: InspectedFeed,
  { natsReplicas }: Pick<Config, "natsReplicas">,
  now: Date,
): Finding {
  const issuer = "start `mooring serve issuer`, and see its log";
  if (feed.outcome === "unreachable") {
    const fix = "start nats-server with --jetstream, and correct NATS_URL or the credentials";
    return fail(check, `no JetStream at NATS_URL: ${feed.reason}`, fix);
  }
  const server = `NATS ${feed.version} answers`;
  if (feed.replicas === 0) return fail(check, `${server}, without the stream of edges`, issuer);
  if (feed.asOf === null) return warn(check, `${server}, and the stream is being written`, issuer);
  const agoMs = now.getTime() - feed.asOf.getTime();
  const seconds = Math.max(0, Math.round(agoMs / 1_000));
  const detail = `${server}; ${feed.messages} values, confirmed ${seconds} s ago`;
  if (agoMs > tolerableMs) return fail(check, `${detail}: nobody writes the stream`, issuer);
  if (feed.replicas === natsReplicas) return ok(check, detail);
  const copies = `${detail}; stored on ${feed.replicas} servers, and NATS_REPLICAS says ${natsReplicas}`;
  return warn(check, copies, "give every issuer the same NATS_REPLICAS");
}
