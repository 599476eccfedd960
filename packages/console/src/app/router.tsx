import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { readAuditSearch } from "../account/audit-search.ts";
import { loadCode } from "../api/load-code.ts";
import { queryClient } from "../api/query-client.ts";
import { isMemberSession, sessionQuery } from "../api/session.ts";
import { applicationTabs } from "../applications/application-tabs.ts";
import { readDomainSearch } from "../domains/domain-search.ts";
import { type TrafficSearch, trafficSpans } from "../traffic/traffic-queries.ts";
import { readDeliverySearch } from "../webhooks/delivery-search.ts";
import {
  firstEnvironment,
  isEnvironment,
  lastEnvironment,
  rememberEnvironment,
} from "./environments.ts";
import { ErrorPage, MissingPage, WaitingPage } from "./outcome-pages.tsx";
import { takeReturn } from "./return-path.ts";
import { Root } from "./root.tsx";
import { compact, parseSearch, readChoice, readText, stringifySearch } from "./search-text.ts";
import { Shell } from "./shell.tsx";

/**
 * Every view is a route, and its filters are its search parameters. Screens load when first shown.
 */
const view: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadCode(load), name);

const rootRoute = createRootRoute({ component: Root });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async () => {
    const path = takeReturn();
    if (path !== null) {
      globalThis.location.replace(`/console${path}`);
      await new Promise(() => {}); // the page is being left
    }
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.operator === true) throw redirect({ to: "/operator" });
    const environment = session === null ? lastEnvironment() : await firstEnvironment();
    throw redirect({ to: "/$environment", params: { environment } });
  },
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search) =>
    compact<{ readonly next: string }>({ next: readText(search, "next") }),
  component: view(() => import("./sign-in-page.tsx"), "SignInPage"),
});

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/$environment",
  params: {
    parse: ({ environment }) => {
      if (!isEnvironment(environment)) throw notFound();
      return { environment };
    },
    stringify: ({ environment }) => ({ environment }),
  },
  beforeLoad: async ({ params, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
    if (!isMemberSession(session)) throw redirect({ to: "/operator" });
    rememberEnvironment(params.environment);
    return { session };
  },
  component: Shell,
});

/** What an operator sees of all tenants. A member is led to the tenant's own console. */
const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/operator",
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
    if (!session.operator) {
      throw redirect({ to: "/$environment", params: { environment: lastEnvironment() } });
    }
    return { session };
  },
  component: view(() => import("../operator/operator-shell.tsx"), "OperatorShell"),
});

const operatorOverviewRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/",
  component: view(() => import("../operator/installation-page.tsx"), "InstallationPage"),
});

const operatorTenantsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: "/tenants",
  validateSearch: (search) =>
    compact<{ readonly q: string; readonly cursor: string }>({
      q: readText(search, "q"),
      cursor: readText(search, "cursor"),
    }),
  component: view(() => import("../operator/tenants-page.tsx"), "TenantsPage"),
});

const domainsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/domains",
  validateSearch: readDomainSearch,
  component: view(() => import("../domains/domains-page.tsx"), "DomainsPage"),
});

const domainRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/domains/$id",
  component: view(() => import("../domains/domain-page.tsx"), "DomainPage"),
});

const overviewRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/",
  component: view(() => import("../overview/overview-page.tsx"), "OverviewPage"),
});

const trafficRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/traffic",
  validateSearch: (search) =>
    compact<TrafficSearch>({
      span: readChoice(
        search,
        "span",
        trafficSpans.map(([name]) => name),
      ),
      app: readText(search, "app"),
      by: readChoice(search, "by", ["application"]),
      sort: readChoice(search, "sort", ["errors", "bytes"]),
    }),
  component: view(() => import("../traffic/traffic-page.tsx"), "TrafficPage"),
});

const customersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/customers",
  validateSearch: (search) =>
    compact<{ readonly ref: string; readonly q: string; readonly cursor: string }>({
      ref: readText(search, "ref"),
      q: readText(search, "q"),
      cursor: readText(search, "cursor"),
    }),
  component: view(() => import("../customers/customers-page.tsx"), "CustomersPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/webhooks",
  component: view(() => import("../webhooks/webhooks-page.tsx"), "WebhooksPage"),
});

const endpointRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/webhooks/$id",
  component: view(() => import("../webhooks/endpoint-page.tsx"), "EndpointPage"),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/webhooks/deliveries",
  validateSearch: readDeliverySearch,
  component: view(() => import("../webhooks/deliveries-page.tsx"), "DeliveriesPage"),
});

const deliveryRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/webhooks/deliveries/$id",
  component: view(() => import("../webhooks/delivery-page.tsx"), "DeliveryPage"),
});

const verifyRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/webhooks/verify",
  validateSearch: (search) =>
    compact<{ readonly language: string }>({ language: readText(search, "language") }),
  component: view(() => import("../webhooks/verify-page.tsx"), "VerifyPage"),
});

const applicationsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/applications",
  component: view(() => import("../applications/applications-page.tsx"), "ApplicationsPage"),
});

const applicationRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/applications/$id",
  validateSearch: (search) => {
    const tab = readChoice(
      search,
      "tab",
      applicationTabs.map(([id]) => id),
    );
    return tab === undefined ? {} : { tab };
  },
  component: view(() => import("../applications/application-page.tsx"), "ApplicationPage"),
});

const teamRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/team",
  component: view(() => import("../account/team-page.tsx"), "TeamPage"),
});

const auditRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: view(() => import("../account/audit-page.tsx"), "AuditPage"),
});

const usageRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/usage",
  validateSearch: (search) =>
    compact<{ readonly period: string }>({ period: readText(search, "period") }),
  component: view(() => import("../account/usage-page.tsx"), "UsagePage"),
});

const settingsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: "/settings",
  component: view(() => import("../account/settings-page.tsx"), "SettingsPage"),
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  signInRoute,
  operatorRoute.addChildren([operatorOverviewRoute, operatorTenantsRoute]),
  environmentRoute.addChildren([
    overviewRoute,
    domainsRoute,
    domainRoute,
    trafficRoute,
    customersRoute,
    webhooksRoute,
    deliveriesRoute,
    deliveryRoute,
    verifyRoute,
    endpointRoute,
    applicationsRoute,
    applicationRoute,
    teamRoute,
    auditRoute,
    usageRoute,
    settingsRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: "/console",
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: MissingPage,
  defaultPendingComponent: WaitingPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
