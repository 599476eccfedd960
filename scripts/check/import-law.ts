/**
 * Regular expressions for paths from the root of the repository, `node:<module>` and
 * `node_modules/<package>`.
 */
interface Modules {
  readonly path?: string;
  readonly pathNot?: string | readonly string[];
}

export interface Forbidden {
  readonly name: string;
  /** The reason. */
  readonly comment: string;
  readonly from: Modules;
  /** `$1` is the first group that `from.path` matched. */
  readonly to: Modules & {
    readonly isCircular?: true;
    readonly isTypeAllowed?: true;
    /** Forbids what is loaded through other modules too. */
    readonly isReached?: true;
  };
}

export interface Required {
  readonly name: string;
  readonly comment: string;
  readonly module: Modules;
  readonly to: Modules;
}

/** The import law of ARCHITECTURE.md; every rule is an error and says why. */
const test = "\\.test\\.tsx?$|/test/|/fixtures/|^packages/testing/";

export const law = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Modules that import each other belong in one module, or share a third.",
      from: {},
      to: { isCircular: true },
    },
    {
      name: "domain-is-pure",
      comment: "Rules of the domain do no I/O: they may use each other and the pure part of dns.",
      from: { path: "^packages/control/src/domain/", pathNot: test },
      to: {
        path: "^(packages/|node:|node_modules/)",
        pathNot: [
          "^packages/control/src/domain/",
          "^packages/dns/src/",
          "^node:(crypto|tls|zlib)$",
        ],
      },
    },
    {
      name: "db-stands-on-domain",
      comment: "db turns rows into domain types; it imports nothing above itself.",
      from: { path: "^packages/control/src/db/", pathNot: test },
      to: { path: "^packages/control/src/(services|api|workers)/" },
    },
    {
      name: "services-know-no-transport",
      comment: "A verb does not know whether a request, a worker or an operator called it.",
      from: { path: "^packages/control/src/services/", pathNot: test },
      to: { path: "^packages/control/src/(api|workers)/" },
    },
    {
      name: "api-and-workers-call-services",
      comment: "SQL is in db and decisions are in services; api and workers call verbs.",
      from: { path: "^packages/control/src/(api|workers)/", pathNot: test },
      to: { path: "^packages/control/src/db/" },
    },
    {
      name: "api-and-workers-are-separate",
      comment: "A verb asks for work by setting when a row is due, never by calling a worker.",
      from: { path: "^packages/control/src/(api|workers)/" },
      to: { path: "^packages/control/src/(api|workers)/", pathNot: "^packages/control/src/$1/" },
    },
    {
      name: "adapters-are-separate",
      comment: "What two providers share belongs in providers/adapter, not to one of them.",
      from: { path: "^packages/dns/src/providers/([^/]+)/" },
      to: {
        path: "^packages/dns/src/providers/[^/]+/",
        pathNot: "^packages/dns/src/providers/($1|adapter)/",
      },
    },
    {
      name: "only-the-registry-lists-adapters",
      comment:
        "Differences between providers are data in the manifest; no module imports one by name.",
      from: {
        path: "^packages/",
        pathNot: ["^packages/dns/src/providers/", "^packages/dns/conformance/", test],
      },
      to: {
        path: "^packages/dns/src/providers/",
        pathNot: "^packages/dns/src/providers/(registry\\.ts$|adapter/|guide/)",
      },
    },
    {
      name: "edges-load-no-provider",
      comment: "An edge uses dns/lookup: all of dns takes 6 MB more in each of its processes.",
      from: { path: "^packages/(edge/src/index|control/src/settings)\\.ts$" },
      to: { path: "^packages/dns/src/index\\.ts$", isReached: true },
    },
    {
      name: "name-servers-load-no-proxy",
      comment: "A name server starts in half the time without the edge, and takes less memory.",
      from: { path: "^packages/edge/src/nameserver/start-name-server\\.ts$" },
      to: { path: "^packages/edge/src/(certificates|process|proxy|tls)/", isReached: true },
    },
    {
      name: "leaves-import-no-package",
      comment:
        "concurrency, vault, postgres and sdk stand alone; the sdk is published without dependencies.",
      from: { path: "^packages/(concurrency|vault|postgres|sdk)/src/" },
      to: { path: "^packages/", pathNot: "^packages/$1/" },
    },
    {
      name: "egress-stands-on-concurrency",
      comment: "egress knows no other package than the primitives of concurrent work.",
      from: { path: "^packages/egress/src/" },
      to: { path: "^packages/", pathNot: "^packages/(egress|concurrency)/" },
    },
    {
      name: "dns-stands-alone",
      comment:
        "dns knows no database, no tenants and no other package than the primitives of concurrent work; callers pass in the way out.",
      from: { path: "^packages/dns/", pathNot: test },
      to: { path: "^packages/", pathNot: "^packages/(dns|concurrency|testing)/" },
    },
    {
      name: "control-points-down",
      comment:
        "The control plane stands on concurrency, dns, egress, postgres and vault, and knows nothing beside or above it.",
      from: { path: "^packages/control/src/", pathNot: test },
      to: {
        path: "^packages/",
        pathNot: "^packages/(control|concurrency|dns|egress|postgres|vault)/",
      },
    },
    {
      name: "drop-in-stands-on-control",
      comment:
        "The drop-in APIs map a vendor's words to verbs: they take the control plane's surface and the names of dns.",
      from: { path: "^packages/drop-in/src/", pathNot: test },
      to: {
        path: "^packages/",
        pathNot: [
          "^packages/drop-in/",
          "^packages/control/src/drop-in\\.ts$",
          "^packages/dns/src/index\\.ts$",
        ],
      },
    },
    {
      name: "edge-stands-alone",
      comment: "The edge knows the control plane by HTTP and its own tables, never by import.",
      from: { path: "^packages/edge/src/", pathNot: test },
      to: {
        path: "^packages/",
        pathNot: "^packages/(edge|concurrency|dns|egress|postgres|vault)/",
      },
    },
    {
      name: "http-codec-stands-alone",
      comment:
        "The HTTP codec is protocol only: it imports Node and itself, nothing of the product.",
      from: { path: "^packages/edge/src/http/", pathNot: test },
      to: {
        path: "^(packages/|node_modules/)",
        pathNot: "^packages/edge/src/http/",
      },
    },
    {
      name: "tls-knows-no-certificates",
      comment:
        "A handshake asks for its certificate through tls/certificate-source.ts; what finds, accepts or starts it imports tls.",
      from: { path: "^packages/edge/src/tls/", pathNot: test },
      to: { path: "^packages/edge/src/(certificates|listen|proxy|process)/" },
    },
    {
      name: "certificates-know-the-feed-by-its-interface",
      comment: "PostgreSQL or NATS: what serves and issues certificates does not know which.",
      from: { path: "^packages/edge/src/certificates/", pathNot: test },
      to: { path: "^packages/edge/src/feed/", pathNot: "^packages/edge/src/feed/feed\\.ts$" },
    },
    {
      name: "proxy-knows-no-listener",
      comment:
        "How a connection was accepted does not change how its requests are served; listen imports proxy.",
      from: { path: "^packages/edge/src/proxy/", pathNot: test },
      to: { path: "^packages/edge/src/listen/" },
    },
    {
      name: "process-only-starts",
      comment: "process puts the parts together and starts them; a part never imports the whole.",
      from: {
        path: "^packages/edge/src/",
        pathNot: ["^packages/edge/src/(process/|index\\.ts$)", test],
      },
      to: { path: "^packages/edge/src/process/" },
    },
    {
      name: "commands-speak-through-the-sdk",
      comment: "Only operator commands call the control plane directly.",
      from: { path: "^packages/cli/src/commands/" },
      to: { path: "^packages/(drop-in|control|edge|dns|vault|egress)/" },
    },
    {
      name: "widget-stands-on-sdk",
      comment: "The widget runs in the page of a tenant and uses only the API of the service.",
      from: { path: "^packages/widget/src/", pathNot: test },
      to: { path: "^(packages/|node:)", pathNot: "^packages/(widget|sdk)/" },
    },
    {
      name: "console-stands-on-sdk",
      comment:
        "The console runs in a browser and uses only the API of the service, through the SDK.",
      from: { path: "^packages/console/src/", pathNot: test },
      to: { path: "^(packages/|node:)", pathNot: "^packages/(console|sdk)/" },
    },
    {
      name: "nobody-imports-main",
      comment: "main.ts starts things; importing it would start them too.",
      from: {},
      to: { path: "^packages/[^/]+/src/(published-)?main\\.ts$" },
    },
    {
      name: "tests-are-leaves",
      comment: "Product code never imports a test or its support.",
      from: { path: "^packages/[^/]+/src/", pathNot: test },
      to: { path: test },
    },
  ],
  required: [
    {
      name: "adapter-runs-conformance",
      comment: "Every adapter's test is the shared suite.",
      module: { path: "^packages/dns/src/providers/[^/]+/provider(\\.world)?\\.test\\.ts$" },
      to: { path: "^packages/dns/conformance/suite\\.ts$" },
    },
  ],
} satisfies { readonly forbidden: readonly Forbidden[]; readonly required: readonly Required[] };

/** Of tests, only those of adapters are checked. */
export const excluded = /\/dist\/|(?<!\/provider(?:\.world)?)\.test\.ts$/;
