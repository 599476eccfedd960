import {
  type Api,
  createApi,
  type IdempotentOptions,
  type InputOf,
  type OperationId,
  type ResponseOf,
} from "./api.ts";
import { sleep } from "./request.ts";
import { type Applications, applications } from "./resources/applications.ts";
import { type Connections, connections } from "./resources/connections.ts";
import { type Credentials, credentials } from "./resources/credentials.ts";
import { type Domains, domains } from "./resources/domains.ts";
import { type Email, email } from "./resources/email.ts";
import { type Events, events } from "./resources/events.ts";
import { type Keys, keys } from "./resources/keys.ts";
import { type Plans, plans } from "./resources/plans.ts";
import { type Providers, providers } from "./resources/providers.ts";
import { type Sandbox, sandbox } from "./resources/sandbox.ts";
import { type Subscriptions, subscription } from "./resources/subscription.ts";
import { type Tokens, tokens } from "./resources/tokens.ts";
import { type UsageCounters, usage } from "./resources/usage.ts";
import { type WebhookEndpoints, webhookEndpoints } from "./resources/webhook-endpoints.ts";

interface CommonOptions {
  /** Where the service runs, such as `https://domains.example.com`; without `/v1`. */
  readonly baseUrl: string;
  /** Instead of the global one: for a proxy, for tracing, for tests. */
  readonly fetch?: typeof fetch;
  /** For each attempt, from its start to the last byte of its answer; by default 30,000. */
  readonly timeoutMs?: number;
  /** Further attempts after the first, where repeating is safe and may help; by default 2. */
  readonly retries?: number;
}

/** On a server an API key; in a browser a widget token, never a key. */
export type MooringOptions = CommonOptions &
  (
    | { readonly apiKey: string; readonly token?: never }
    | { readonly token: string; readonly apiKey?: never }
  );

/**
 * The API as objects and methods. A call resolves with the answer's body or rejects with a
 * `MooringError`. Requests that are safe to repeat are repeated when the network fails, when the
 * service is busy (429, after its Retry-After) or away (502, 503, 504).
 */
export class Mooring {
  readonly connections: Connections;
  readonly domains: Domains;
  readonly email: Email;
  readonly applications: Applications;
  readonly keys: Keys;
  readonly credentials: Credentials;
  readonly tokens: Tokens;
  readonly providers: Providers;
  readonly plans: Plans;
  readonly usage: UsageCounters;
  readonly subscription: Subscriptions;
  readonly sandbox: Sandbox;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly events: Events;
  readonly #api: Api;

  constructor(options: MooringOptions) {
    const api = createApi({
      baseUrl: checkedBaseUrl(options.baseUrl),
      credential: checkedCredential(options.apiKey ?? options.token),
      policy: {
        timeoutMs: atLeast("timeoutMs", options.timeoutMs ?? 30_000, 1),
        retries: atLeast("retries", options.retries ?? 2, 0),
      },
      // Called without a receiver, which a browser's own fetch insists on.
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
    this.applications = applications(api);
    this.keys = keys(api);
    this.credentials = credentials(api);
    this.tokens = tokens(api);
    this.providers = providers(api);
    this.plans = plans(api);
    this.usage = usage(api);
    this.subscription = subscription(api);
    this.sandbox = sandbox(api);
    this.webhookEndpoints = webhookEndpoints(api);
    this.events = events(api);
  }

  /** Any operation of the API by its operationId, also one that has no method here yet. */
  call<O extends OperationId>(
    operation: O,
    input: InputOf<O>,
    options?: IdempotentOptions,
  ): Promise<ResponseOf<O>> {
    return this.#api.call(operation, input, options);
  }
}

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new TypeError("baseUrl must be an http or https address without query or fragment");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** What a header can carry; the value itself is never repeated in a message. */
function checkedCredential(value: string | undefined): string {
  if (typeof value !== "string" || !/^[!-~]+$/.test(value)) {
    throw new TypeError("give apiKey or token: printable ASCII without spaces");
  }
  return value;
}

function atLeast(name: string, value: number, least: number): number {
  if (!Number.isFinite(value) || value < least) {
    throw new TypeError(`${name} must be a number of at least ${least}`);
  }
  return value;
}
