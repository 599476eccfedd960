import type { TestContext } from "node:test";
import type { Resolver } from "@mooring/dns";
import { createGuard } from "@mooring/egress";
import type {
  Behaviour,
  ScriptedDns,
  ScriptedQuestion,
} from "../../../../test/support/scripted-dns.ts";
import { scriptedResolver } from "../../../../test/support/scripted-resolver.ts";
import { readConfig } from "../../src/config/config.ts";
import type { TemplateRecord } from "../../src/domain/application.ts";
import { type DomainCheck, inspect } from "../../src/services/domains/check.ts";
import type { LookRuntime } from "../../src/services/domains/recent-facts.ts";
import { createTestClock, type TestClock } from "./clock.ts";

export interface Looking {
  readonly runtime: LookRuntime;
  readonly clock: TestClock;
  check(hostname: string, options?: CheckOptions): Promise<DomainCheck>;
}

interface CheckOptions {
  readonly template?: readonly TemplateRecord[];
  readonly budgetMs?: number;
}

const noNetwork: typeof globalThis.fetch = () => Promise.reject(new Error("no network"));

/** What looking at domains needs, above a resolver of the test's choice and without a database. */
export function looking(resolver: Resolver, fetch = noNetwork): Looking {
  const clock = createTestClock();
  const runtime: LookRuntime = {
    clock,
    config: readConfig({
      BASE_URL: "https://api.mooring.example",
      EDGE_CNAME: "edge.mooring.example",
      EDGE_IPV4: "192.0.2.10,192.0.2.11",
      EDGE_IPV6: "2001:DB8::10",
    }),
    egress: { ...createGuard(), fetch },
    dns: { resolverFor: () => resolver },
  };
  const { signal } = new AbortController();
  return {
    runtime,
    clock,
    check: (hostname, { template = [], ...options } = {}) =>
      inspect(runtime, { environment: "test", hostname, template, signal, ...options }),
  };
}

/** The same above one scripted server, which is the recursive and the authoritative one at once. */
export async function lookingAt(
  context: TestContext,
  behave: (question: ScriptedQuestion) => Behaviour,
): Promise<Looking & { readonly server: ScriptedDns }> {
  const { server, resolver } = await scriptedResolver(context, behave);
  return { ...looking(resolver), server };
}
