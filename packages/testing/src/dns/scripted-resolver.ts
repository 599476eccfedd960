import type { TestContext } from "node:test";
import { createNetworkResolver } from "../../../dns/src/resolve/network-resolver.ts";
import type { Reply, Resolver } from "../../../dns/src/resolve/resolver.ts";
import type { NetworkLimits } from "../../../dns/src/resolve/wire-questions.ts";
import { freePort } from "../processes/free-port.ts";
import {
  type Behaviour,
  type ScriptedDns,
  type ScriptedQuestion,
  startScriptedDns,
} from "./scripted-dns.ts";

export interface ScriptedResolver {
  readonly server: ScriptedDns;
  readonly resolver: Resolver;
}

/**
 * One scripted server on 127.0.0.1 in both roles, recursive and authoritative, and a resolver that
 * uses it.
 */
export async function scriptedResolver(
  context: TestContext,
  behave: (question: ScriptedQuestion) => Behaviour,
  options: {
    tcp?: "on" | "refused" | "silent";
    limits?: Partial<NetworkLimits>;
    now?: () => Date;
  } = {},
): Promise<ScriptedResolver> {
  const port = await freePort();
  const address = "127.0.0.1";
  const server = await startScriptedDns({ address, port, behave, tcp: options.tcp ?? "on" });
  context.after(() => server.stop());
  const resolver = createNetworkResolver({
    resolvers: [`${address}:${port}`],
    authoritativePort: port,
    limits: options.limits ?? {},
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  return { server, resolver };
}

/** The values of a reply; without records, the reason or the rcode. */
export function valuesOf(reply: Reply): readonly string[] | string {
  if (reply.outcome === "failed") return reply.reason;
  return reply.outcome === "absent" ? reply.rcode : reply.records.map(({ value }) => value);
}
