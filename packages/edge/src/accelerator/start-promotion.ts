import { randomBytes } from "node:crypto";
import type { Guard } from "@mooring/egress";
import { EgressError } from "@mooring/egress";
import type { EdgeLimits } from "../config/limits.ts";
import type { Log } from "../config/settings.ts";
import type { Application } from "../hosts/application.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import type { OriginOutcomes } from "../origin-health/outcomes.ts";
import type { AccessLog } from "../proxy/access-log.ts";
import { parseTarget } from "../proxy/origin/target.ts";
import { observeFastRequests } from "./fast-requests.ts";
import { watchLeftAnswers } from "./left-answers.ts";
import type { AcceleratorPaths } from "./paths.ts";
import { originNames } from "./promotable.ts";
import { claimCheck, type Promoter, type PromoterParts, startPromoter } from "./promoter.ts";
import { startRequestLog } from "./request-log.ts";
import { createHaproxyTable, type EntryOrigin } from "./runtime/haproxy-table.ts";
import { createRuntimeApi } from "./runtime/runtime-api.ts";
import { defaultTimes } from "./times.ts";
import { watchUploads } from "./upload-pace.ts";

export interface PromotionParts
  extends Pick<
    PromoterParts,
    "hosts" | "certificate" | "assertion" | "rates" | "areStapled" | "now" | "most" | "times"
  > {
  readonly paths: AcceleratorPaths;
  readonly guard: Guard;
  /** Whether an address is a listener of this edge: requests to it would loop. */
  readonly isOwn: (address: string, port: number) => boolean;
  readonly limits: Pick<EdgeLimits, "originOpen" | "stallMs" | "bodyBytesPerSecond">;
  readonly stats: EdgeStats;
  readonly outcomes: OriginOutcomes;
  readonly accessLog: AccessLog | undefined;
  readonly log: Log;
}

export interface RunningPromotion extends Omit<Promoter, "stop"> {
  /** Requests of HAProxy that were not counted, because their lines are lost. */
  lostLines(): number;
  /** Withdraws all names. Answers in flight are still cut when their claim ends. */
  stop(): Promise<void>;
  /** After `stop`, when there are none any more. */
  close(): void;
}

/** Promotes the busiest names, and counts what HAProxy serves. One process of the edge does. */
export async function startPromotion(parts: PromotionParts): Promise<RunningPromotion> {
  const { paths } = parts;
  const owner = randomBytes(5).toString("hex");
  const table = createHaproxyTable(createRuntimeApi(paths.admin), paths, owner);
  const origin = createOrigin(parts);
  const promoter = startPromoter({ ...parts, table, owner, origin });
  const { tickMs } = { ...defaultTimes, ...parts.times };
  const left = watchLeftAnswers({ paths, isCurrent: claimCheck(parts.hosts), tickMs });
  const uploads = watchUploads(parts);
  const log = await startRequestLog(paths.log, observeFastRequests(promoter, parts));
  return {
    hostOf: promoter.hostOf,
    get size() {
      return promoter.size;
    },
    isPromoted: promoter.isPromoted,
    removed: promoter.removed,
    certificateChanged: promoter.certificateChanged,
    failed: promoter.failed,
    lostLines: log.lost,
    async stop() {
      await promoter.stop();
      left.includeAll();
      log.close();
    },
    close() {
      left.stop();
      uploads.stop();
    },
  };
}

/** HAProxy resolves nothing: it gets an address, which is checked as for a connection. */
function createOrigin({ guard, isOwn, limits }: PromotionParts) {
  return async (application: Application, preferred: string | null): Promise<EntryOrigin> => {
    const target = parseTarget(guard, application, application.originUrl ?? "", () => null);
    const { host, port, isTls, tenantId } = target;
    const checked = (await guard.resolve(host, tenantId)).map(({ address }) => address);
    const address = checked.find((one) => one === preferred) ?? checked[0];
    if (address === undefined || checked.some((one) => isOwn(one, port))) {
      throw new EgressError("refused_address", "the origin is a listener of this edge");
    }
    const { ca } = application.originTls;
    const tls = isTls ? { ...originNames(application, target), ca } : null;
    return { address, port, tls, connections: limits.originOpen };
  };
}
