import {
  createOutput,
  type EndRequest,
  type Environment,
  exitCode,
  isWatched,
  type LocalParts,
  type Output,
  processEnvironment,
  reportFailure,
  requestedPorts,
  requireFreePorts,
  serveAll,
} from "@mooring/cli";
import { type Config, databaseUrl, readConfig } from "@mooring/control/settings";
import { createDemo, type Demo } from "./demo/demo.ts";

/**
 * On one machine webhook receivers and origins are on loopback, an edge of one process starts
 * faster than one for every core, and Ctrl-C should not wait for an open page.
 */
const localDefaults = {
  WEBHOOK_ALLOW_PRIVATE: "loopback",
  ORIGIN_ALLOW_PRIVATE: "loopback",
  EDGE_WORKERS: "1",
  EDGE_DRAIN: "3s",
  EDGE_TARGETS: "unique",
  VALIDATION_ZONE: "validation.test",
  VALIDATION_HOST: "127.0.0.1",
  VALIDATION_PORT: "8053",
};

interface Start {
  readonly config: Config;
  readonly env: Environment;
  readonly output: Output;
  readonly end: EndRequest;
  readonly built: Promise<number>;
}

/**
 * Runs the whole product on one machine until it is asked to end: `serve all`, and a demo unless
 * this is production. `built` resolves with the exit code of the build, for which nothing waits:
 * until then the API holds requests for what is being built, and afterwards says on those pages
 * what failed. Returns the exit code.
 */
export async function runLocal(
  args: readonly string[],
  end: EndRequest,
  built: Promise<number> = Promise.resolve(0),
): Promise<number> {
  const output = createOutput(args.includes("--json"));
  const env = localEnvironment(processEnvironment());
  let config: Config | null = null;
  try {
    config = readConfig(env);
    return await serve({ config, env, output, end, built });
  } catch (error) {
    // Ctrl-C also reaches the programs that a start runs, and makes them fail.
    if (end.signal.aborted) return exitCode.done;
    return reportFailure(output, error, { databaseUrl: config ? urlIfKnown(config) : null });
  } finally {
    end.release();
  }
}

/** In production nothing is opened that the operator has not opened. */
function localEnvironment(input: Environment): Environment {
  return input["NODE_ENV"] === "production" ? input : { ...localDefaults, ...input };
}

async function serve({ config, env, output, end, built }: Start): Promise<number> {
  const demo = config.isProduction ? null : createDemo(config);
  await requireFreePorts([...requestedPorts(config), ...(demo?.ports ?? [])]);
  reportPrivateTargets(config, output);
  void reportBuild(built, output, end);
  return serveAll({
    config,
    env: { ...env, ...demo?.env },
    output,
    signal: end.signal,
    local: {
      // `node --watch` sends SIGTERM before it starts this program again, which then adopts the
      // server; not when Ctrl-C comes meanwhile.
      keepsDatabase: () => isWatched() && end.reasons.size === 1 && end.reasons.has("SIGTERM"),
      ...demoParts(demo),
    },
  });
}

function demoParts(demo: Demo | null): Pick<LocalParts, "companions" | "prepare" | "details"> {
  return {
    companions: demo ? [demo.process] : [],
    prepare: async (runtime, first) => demo?.prepare(runtime, first),
    details: async () => (demo ? await demo.details() : null),
  };
}

/** The guard of outgoing connections is part of what an operator must know. */
function reportPrivateTargets(config: Config, output: Output): void {
  const { webhookAllowPrivate: webhooks, originAllowPrivate: origins } = config;
  const line = config.isProduction
    ? "private targets: refused, unless EGRESS_ALLOW, WEBHOOK_ALLOW_PRIVATE or ORIGIN_ALLOW_PRIVATE allows them"
    : "private targets: webhooks and origins on this machine (127.0.0.0/8, ::1) are allowed; production refuses them";
  const isOpened = webhooks === true || origins === true;
  output.progress(
    isOpened ? "private targets: allowed by WEBHOOK_ALLOW_PRIVATE or ORIGIN_ALLOW_PRIVATE" : line,
    { state: "egress", webhooks, origins },
  );
}

async function reportBuild(built: Promise<number>, output: Output, end: EndRequest): Promise<void> {
  if ((await built) === 0 || end.signal.aborted) return;
  const text = "the build failed, and its pages say so: see its output above, then `npm run build`";
  output.progress(text, { state: "build-failed" });
}

function urlIfKnown(config: Config): string | null {
  try {
    return databaseUrl(config);
  } catch {
    return null; // there is no URL yet, and the error has another reason
  }
}
