import type { TestContext } from "node:test";
import type { Resolver } from "@mooring/dns";
import { createGuard } from "@mooring/egress";
import { readConfig } from "../../../control/src/config/config.ts";
import type { TemplateRecord } from "../../../control/src/domain/applications/application.ts";
import { checkHostname, type DomainCheck } from "../../../control/src/services/domains/check.ts";
import type { DomainCheckRuntime } from "../../../control/src/services/domains/observe-name.ts";
import { createRecentDomainFacts } from "../../../control/src/services/expiring-cache.ts";
import type { Behaviour, ScriptedDns, ScriptedQuestion } from "../dns/scripted-dns.ts";
import { scriptedResolver } from "../dns/scripted-resolver.ts";
import { createTestClock, type TestClock } from "./clock.ts";

export interface DomainChecks {
  readonly runtime: DomainCheckRuntime;
  readonly clock: TestClock;
  check(hostname: string, options?: CheckOptions): Promise<DomainCheck>;
}

interface CheckOptions {
  readonly template?: readonly TemplateRecord[];
  readonly budgetMs?: number;
  readonly proxied?: "accept" | "refuse";
}

const noNetwork: typeof globalThis.fetch = () => Promise.reject(new Error("no network"));

/** Checks domains with the given resolver and without a database. */
export function domainChecks(resolver: Resolver, fetch = noNetwork): DomainChecks {
  const clock = createTestClock();
  const runtime: DomainCheckRuntime = {
    clock,
    config: readConfig({
      BASE_URL: "https://api.mooring.example",
      EDGE_CNAME: "edge.mooring.example",
      EDGE_IPV4: "192.0.2.10,192.0.2.11",
      EDGE_IPV6: "2001:DB8::10",
    }),
    egress: { ...createGuard(), fetch },
    dns: { resolverFor: () => resolver },
    domainFacts: createRecentDomainFacts(clock),
  };
  const { signal } = new AbortController();
  return {
    runtime,
    clock,
    // A busy machine may need longer than the budget of a request.
    check: (hostname, { template = [], budgetMs = 30_000, proxied } = {}) =>
      checkHostname(runtime, {
        environment: "test",
        hostname,
        template,
        signal,
        budgetMs,
        proxied,
      }),
  };
}

/** The same with one scripted server, which is both the recursive and the authoritative one. */
export async function domainChecksAt(
  context: TestContext,
  behave: (question: ScriptedQuestion) => Behaviour,
): Promise<DomainChecks & { readonly server: ScriptedDns }> {
  const { server, resolver } = await scriptedResolver(context, behave);
  return { ...domainChecks(resolver), server };
}

/** The messages of warnings, one on each line. */
export function joinMessages(warnings: readonly { readonly message: string }[]): string {
  return warnings.map(({ message }) => message).join("\n");
}
