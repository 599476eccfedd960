import {
  type Api,
  type ClientCredential,
  createApi,
  type IdempotentOptions,
  type InputOf,
  type OperationId,
  type ResponseOf,
} from "./api.ts";
import { type Deliveries, deliveries, type Events, events } from "./events.ts";
import { givenAs } from "./given.ts";
import {
  type Audit,
  audit,
  type Members,
  members,
  type Operator,
  operator,
  type Passkeys,
  passkeys,
  type Sessions,
  sessions,
} from "./people.ts";
import { sleep } from "./request.ts";
import {
  type Applications,
  applications,
  type Connections,
  type Credentials,
  connections,
  credentials,
  type Domains,
  domains,
  type Email,
  email,
  type Keys,
  keys,
  type Plans,
  type Providers,
  plans,
  providers,
  type Sandbox,
  type Subscriptions,
  sandbox,
  subscription,
  type Tokens,
  type TrafficViews,
  tokens,
  traffic,
  type UsageCounters,
  usage,
  type WebhookEndpoints,
  webhookEndpoints,
} from "./resources.ts";
import { type Sending, sending } from "./sending.ts";
import { type StatusLinks, statusLinks } from "./status-links.ts";

interface CommonOptions {
  /** The address of the service, such as `https://domains.example.com`, without `/v1`. */
  readonly baseUrl: string;
  /** Replaces the global `fetch`, for a proxy, tracing or tests. */
  readonly fetch?: typeof fetch;
  /**
   * Time limit of each attempt, from its start to the last byte of the response. Default: 30,000.
   */
  readonly timeoutMs?: number;
  /** Attempts after the first, where a retry is safe and may help. Default: 2. */
  readonly retries?: number;
}

/** A browser that has signed in to the console; the cookie is the browser's own affair. */
export interface SessionOptions {
  /** What the calls are about: each names one environment. */
  readonly environment: "test" | "live";
  /** `csrf_token` of the session, which every change needs. Absent until it has been read. */
  readonly csrfToken?: string;
}

/**
 * An API key on a server; in a browser a widget token or the console's session, never an API key.
 */
export type MooringOptions = CommonOptions &
  (
    | { readonly apiKey: string; readonly token?: never; readonly session?: never }
    | { readonly token: string; readonly apiKey?: never; readonly session?: never }
    | { readonly session: SessionOptions; readonly apiKey?: never; readonly token?: never }
  );

/**
 * The API as objects and methods. A call resolves with the response body or rejects with a
 * `MooringError`. Requests that are safe to repeat are retried when the network fails and when the
 * service is busy (429, after its Retry-After) or unavailable (502, 503, 504).
 */
export class Mooring {
  readonly connections: Connections;
  readonly domains: Domains;
  readonly email: Email;
  readonly sending: Sending;
  readonly applications: Applications;
  readonly keys: Keys;
  readonly credentials: Credentials;
  readonly tokens: Tokens;
  readonly providers: Providers;
  readonly statusLinks: StatusLinks;
  readonly plans: Plans;
  readonly traffic: TrafficViews;
  readonly usage: UsageCounters;
  readonly subscription: Subscriptions;
  readonly sandbox: Sandbox;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly events: Events;
  readonly deliveries: Deliveries;
  readonly audit: Audit;
  readonly members: Members;
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly operator: Operator;
  readonly #api: Api;

  constructor(options: MooringOptions) {
    if (typeof options !== "object" || options === null) {
      throw new TypeError(
        `new Mooring: the options are ${givenAs(options)}. Give \`{ apiKey, baseUrl }\`.`,
      );
    }
    const api = createApi({
      baseUrl: checkedBaseUrl(options.baseUrl),
      credential: chooseCredential(options),
      policy: {
        timeoutMs: atLeast("timeoutMs", options.timeoutMs ?? 30_000, 1),
        retries: atLeast("retries", options.retries ?? 2, 0),
      },
      // A browser's `fetch` throws when it is called as a method of another object.
      wire: {
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
        sleep,
        random: Math.random,
      },
    });
    this.#api = api;
    this.connections = connections(api);
    this.domains = domains(api);
    this.email = email(api);
    this.sending = sending(api);
    this.applications = applications(api);
    this.keys = keys(api);
    this.credentials = credentials(api);
    this.tokens = tokens(api);
    this.providers = providers(api);
    this.statusLinks = statusLinks(api);
    this.plans = plans(api);
    this.traffic = traffic(api);
    this.usage = usage(api);
    this.subscription = subscription(api);
    this.sandbox = sandbox(api);
    this.webhookEndpoints = webhookEndpoints(api);
    this.events = events(api);
    this.deliveries = deliveries(api);
    this.audit = audit(api);
    this.members = members(api);
    this.sessions = sessions(api);
    this.passkeys = passkeys(api);
    this.operator = operator(api);
  }

  /** Calls an operation by its operationId, including operations without a method here. */
  call<O extends OperationId>(
    operation: O,
    input: InputOf<O>,
    options?: IdempotentOptions,
  ): Promise<ResponseOf<O>> {
    return this.#api.call(operation, input, options);
  }
}

function chooseCredential({ session, apiKey, token }: MooringOptions): ClientCredential {
  if (session === undefined) {
    return { secret: checkedCredential(token === undefined ? "apiKey" : "token", apiKey ?? token) };
  }
  return { environment: session.environment, csrfToken: session.csrfToken ?? null };
}

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    const found = typeof text === "string" && text !== "" ? "no such address" : givenAs(text);
    throw new TypeError(
      `new Mooring: \`baseUrl\` is ${found}. Give the http or https address of your installation, such as https://domains.example.com, without query or fragment; is MOORING_URL set?`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Accepts what an HTTP header can carry. The error message does not contain the value. */
function checkedCredential(name: "apiKey" | "token", value: string | undefined): string {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(
      `new Mooring: \`${name}\` is ${givenAs(value)}. On a server give \`apiKey\` (is MOORING_API_KEY set?), in a browser the \`token\` that your server minted.`,
    );
  }
  if (!/^[!-~]+$/.test(value)) {
    throw new TypeError(
      `new Mooring: \`${name}\` has a space or another character that none has: copy it again.`,
    );
  }
  return value;
}

function atLeast(name: string, value: number, least: number): number {
  if (!Number.isFinite(value) || value < least) {
    throw new TypeError(`new Mooring: \`${name}\` must be a number of at least ${least}.`);
  }
  return value;
}
