import {
  type Application,
  defineRoute,
  getNamedApplication,
  type Route,
} from "@mooring/control/drop-in";
import { z } from "zod";

const ResourceConfig = z.object({ functionDefaultRegions: z.array(z.string()) });

/** What the vendor's client requires of a project; an application builds and runs nothing. */
const ProjectBody = z.object({
  id: z.string(),
  name: z.string(),
  accountId: z.string(),
  createdAt: z.int(),
  alias: z.array(z.unknown()),
  targets: z.object({}),
  latestDeployments: z.array(z.unknown()),
  framework: z.null(),
  nodeVersion: z.literal("24.x"),
  directoryListing: z.boolean(),
  defaultResourceConfig: ResourceConfig,
  resourceConfig: ResourceConfig,
  deploymentExpiration: z.object({}),
});

function projectBody({ id, name, tenantId, createdAt }: Application): z.input<typeof ProjectBody> {
  return {
    id,
    name,
    accountId: tenantId,
    createdAt: createdAt.getTime(),
    alias: [],
    targets: {},
    latestDeployments: [],
    framework: null,
    nodeVersion: "24.x",
    directoryListing: false,
    defaultResourceConfig: { functionDefaultRegions: [] },
    resourceConfig: { functionDefaultRegions: [] },
    deploymentExpiration: {},
  };
}

function getRoute(version: "v9" | "v10"): Route {
  return defineRoute({
    method: "GET",
    path: `/${version}/projects/{project}`,
    tag: "Vercel",
    session: "refused",
    summary: "Read one application as a project",
    scopes: ["connections:read", "connections:write", "apps:admin"],
    role: "viewer",
    params: z.strictObject({ project: z.string() }),
    query: z.object({}),
    output: ProjectBody,
    statuses: [200],
    run: (ctx, { params }) => getNamedApplication(ctx, params.project),
    reply: projectBody,
  });
}

export const projectRoutes: readonly Route[] = [getRoute("v9"), getRoute("v10")];
