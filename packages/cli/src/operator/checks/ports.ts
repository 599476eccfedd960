import type { Config } from "@mooring/control";
import { portProblem, type WantedPort } from "../../free-ports.ts";
import { wantedPorts } from "../processes.ts";
import { type Finding, fail, ok } from "./finding.ts";

export function checkPorts(config: Config): Promise<Finding[]> {
  return Promise.all(wantedPorts(config).map(checkPort));
}

async function checkPort(wanted: WantedPort): Promise<Finding> {
  const name = wanted.variable.toLowerCase();
  const problem = await portProblem(wanted);
  if (problem === null) return ok(name, `${wanted.port} is free`);
  const holder = problem.holder;
  if (holder && /\bserve (api|worker|edge)\b/.test(holder.command)) {
    return ok(name, `${wanted.port} is served by Mooring (process ${holder.pid})`);
  }
  return fail(name, problem.message, problem.mend);
}
