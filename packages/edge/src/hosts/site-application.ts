import type { Application } from "./application.ts";
import { overrideRules } from "./application-rules.ts";
import type { Host } from "./host.ts";

interface Made {
  readonly of: Application;
  readonly application: Application;
}

/**
 * The application as one host has it. Origins are cached by application object, so a host with
 * settings of its own gets one object until these or those of its application change.
 */
export function createSiteApplications(): (
  application: Application | null,
  host: Host,
) => Application | null {
  const made = new WeakMap<Host, Made>();
  return (application, host) => {
    if (application === null || host.own === null) return application;
    const known = made.get(host);
    if (known?.of === application) return known.application;
    const own = withOwnOrigin(withOwnRules(application, host.own), host.own);
    made.set(host, { of: application, application: own });
    return own;
  };
}

function withOwnRules(application: Application, own: NonNullable<Host["own"]>): Application {
  if (own.rules === undefined) return application;
  const rules = overrideRules(application.edge.rules, own.rules);
  return { ...application, edge: { ...application.edge, rules } };
}

function withOwnOrigin(application: Application, own: NonNullable<Host["own"]>): Application {
  const originHostHeader = own.originHostHeader ?? application.originHostHeader;
  const { originUrl } = own;
  if (originUrl === null) return { ...application, originHostHeader };
  return { ...application, originHostHeader, originUrl, origins: [{ url: originUrl, weight: 1 }] };
}
