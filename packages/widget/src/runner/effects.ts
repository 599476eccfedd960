import type {
  Connection,
  ConnectionDetail,
  CreateConnectionPair,
  DomainCheck,
  DomainConnectStart,
  ResponseOf,
  SendingDomain,
} from "@mooring/sdk";
import type { MachineEvent } from "../machine/event.ts";
import { type Joined, joined } from "../machine/joined.ts";
import type {
  CredentialInput,
  Effect,
  EffectType,
  MailboxProvider,
  MailProvider,
  Writing,
} from "../machine/state.ts";
import { type Api, ApiProblem } from "./api.ts";
import type { Popup } from "./popup.ts";

export interface EffectContext {
  readonly api: Api;
  readonly applicationId: string;
  readonly popup: Popup;
  readonly pollNow: () => void;
  readonly timeStall: () => void;
  /** Resolves with `renewed` or `renew_failed`. */
  readonly renew: () => Promise<MachineEvent>;
  readonly close: () => void;
}

type Performer<T extends EffectType> = (effect: Effect<T>) => Promise<MachineEvent | null>;

export type Performers = { readonly [T in EffectType]: Performer<T> };

const signInSize = { width: 560, height: 760 } as const;

/** Performs effects. Code before the first await still runs within the person's click. */
export function createPerformers(context: EffectContext): Performers {
  const { api, popup } = context;
  return {
    ...setting(context),
    ...starting(context),
    ...writing(context),
    ...helping(context),

    async start_domain_connect({ id, pair }) {
      const isOpen = popup.open(null);
      const start = await api.call<DomainConnectStart>(
        "POST",
        `connections/${id}/domain-connect:start`,
        pair === true ? { pair } : {},
      );
      const { apply_url: applyUrl, provider_name: providerName, covers } = start;
      if (isOpen) popup.go(applyUrl, start);
      return {
        type: "popup_changed",
        status: isOpen ? "open" : "blocked",
        applyUrl,
        providerName,
        covers,
      };
    },
    async start_oauth({ id }) {
      const isOpen = popup.open(null);
      const start = await api.call<ResponseOf<"post_connections_id_oauth_start">>(
        "POST",
        `connections/${id}/oauth:start`,
      );
      const { authorize_url: applyUrl, provider_name: providerName } = start;
      if (isOpen) popup.go(applyUrl, signInSize);
      return {
        type: "popup_changed",
        status: isOpen ? "open" : "blocked",
        applyUrl,
        providerName,
      };
    },
    async reopen_popup({ url }) {
      return { type: "popup_changed", status: popup.open(url) ? "open" : "blocked" };
    },
    async close_popup() {
      popup.close();
      return null;
    },
    async poll_now() {
      context.pollNow();
      return null;
    },
    async time_stall() {
      context.timeStall();
      return null;
    },
    renew: () => context.renew(),
    async close() {
      context.close();
      return null;
    },
  };
}

/** Without the settings the widget works with what the page gave it. */
function setting({ api }: EffectContext): Pick<Performers, "settings"> {
  return {
    async settings() {
      try {
        const settings = await api.call<ResponseOf<"get_widget_settings">>(
          "GET",
          "widget/settings",
        );
        return { type: "settings_loaded", settings };
      } catch (error) {
        if (error instanceof ApiProblem && error.problem.code === "origin") throw error;
        if (error instanceof ApiProblem) return null;
        throw error;
      }
    },
  };
}

function starting({
  api,
  applicationId,
}: EffectContext): Pick<Performers, "check" | "create" | "load" | "list" | "remove"> {
  const detail = (id: string) =>
    api.call<ResponseOf<"get_connections_id">>("GET", `connections/${encodeURIComponent(id)}`);
  return {
    async check({ domain }) {
      const check = await api.call<ResponseOf<"post_domains_check">>("POST", "domains:check", {
        domain,
      });
      return { type: "checked", domain, check };
    },
    async create({ domain, contest, canonical, cutover }) {
      if (canonical !== undefined) {
        const connection = await createPair(api, {
          application_id: applicationId,
          hostname: domain,
          canonical,
          ...(cutover === true ? { cutover } : {}),
        });
        return { type: "created", domain, connection };
      }
      const { id } = await api.call<ResponseOf<"post_connections">>("POST", "connections", {
        application_id: applicationId,
        hostname: domain,
        ...(contest === true ? { contest } : {}),
        ...(cutover === true ? { cutover } : {}),
      });
      return { type: "created", domain, connection: await detail(id) };
    },
    async load({ id }) {
      const named = await detail(id);
      const partner = named.partner_id ? await detail(named.partner_id) : null;
      const connection = inOrder(named, partner);
      return { type: "loaded", connection, check: await checkOrNull(api, connection.hostname) };
    },
    async list() {
      return { type: "listed", connections: await ownConnections(api) };
    },
    async remove({ ids }) {
      for (const id of ids) await api.call("DELETE", `connections/${id}`);
      return { type: "removed", connections: await ownConnections(api) };
    },
  };
}

/** Of a pair, the one that visitors stay on comes first. */
function inOrder(one: ConnectionDetail, partner: ConnectionDetail | null): Joined {
  const isMain = partner === null || partner.redirect_to === one.hostname;
  return isMain ? joined(one, partner) : joined(partner, one);
}

async function ownConnections(api: Api): Promise<readonly Connection[]> {
  const page = await api.call<ResponseOf<"get_connections">>("GET", "connections?limit=100");
  return page.data;
}

/** Both names, the one that visitors stay on first. */
async function createPair(
  api: Api,
  body: CreateConnectionPair & { readonly canonical: "apex" | "www" },
): Promise<Joined> {
  const made = await api.call<ResponseOf<"post_connections_pair">>(
    "POST",
    "connections:pair",
    body,
  );
  const [apex, www] = await Promise.all(
    made.connections.map(({ id }) =>
      api.call<ResponseOf<"get_connections_id">>("GET", `connections/${id}`),
    ),
  );
  if (apex === undefined || www === undefined) throw new Error("a pair has two connections");
  return body.canonical === "apex" ? joined(apex, www) : joined(www, apex);
}

/** Null when the check fails: the connection can still be resumed with manual setup. */
async function checkOrNull(api: Api, domain: string): Promise<DomainCheck | null> {
  try {
    return await api.call<ResponseOf<"post_domains_check">>("POST", "domains:check", { domain });
  } catch (error) {
    if (error instanceof ApiProblem && error.status !== 401) return null;
    throw error;
  }
}

function writing({
  api,
}: EffectContext): Pick<Performers, "plan" | "apply" | "email" | "check_sending"> {
  const write = ({ id, provider, credential, pair, cutover }: Writing, body: object) =>
    api.call<ResponseOf<"post_connections_id_records_apply">>(
      "POST",
      `connections/${id}/${cutover === undefined ? "records:apply" : "cutover"}`,
      {
        ...credentialBody(provider, credential),
        ...(pair === true ? { pair } : {}),
        ...(cutover === undefined ? {} : { accept: cutover }),
        ...body,
      },
    );
  return {
    async plan(effect) {
      return { type: "planned", plan: await write(effect, { dry_run: true }) };
    },
    async apply({ replace, ...effect }) {
      return { type: "applied", plan: await write(effect, { replace }) };
    },
    async email({ id, provider, inputs, access, isPreview }) {
      const preview = isPreview === true ? ({ isPreview } as const) : {};
      const dryRun = isPreview === true ? { dry_run: true } : {};
      const body = { provider, inputs, ...(access === null ? {} : { dns: access }), ...dryRun };
      if (!isMailbox(provider)) {
        const path = `connections/${id}/sending:apply`;
        return {
          type: "sending_applied",
          result: await api.call<SendingDomain>("POST", path, body),
          ...preview,
        };
      }
      const result = await api.call<ResponseOf<"post_connections_id_email_apply">>(
        "POST",
        `connections/${id}/email:apply`,
        body,
      );
      return { type: "email_applied", result, ...preview };
    },
    async check_sending({ id, provider }) {
      const path = `connections/${id}/sending:check`;
      type Checked = ResponseOf<"post_connections_id_sending_check">;
      const { data } = await api.call<Checked>("POST", path);
      const result = data.find((one) => one.provider === provider);
      return result === undefined ? null : { type: "sending_applied", result };
    },
  };
}

function isMailbox(provider: MailProvider): provider is MailboxProvider {
  return provider === "google_workspace" || provider === "microsoft_365" || provider === "zoho";
}

function credentialBody(provider: string | null, credential: CredentialInput): object {
  if (credential === "stored") return {};
  if ("oauth_grant" in credential) return credential;
  return { provider, fields: credential };
}

function helping({ api }: EffectContext): Pick<Performers, "share" | "diagnose"> {
  return {
    async share({ id }) {
      const link = await api.call<ResponseOf<"post_connections_id_share">>(
        "POST",
        `connections/${id}/share`,
      );
      return { type: "shared", url: link.url, expiresAt: link.expires_at };
    },
    async diagnose({ id }) {
      const diagnosis = await api.call<ResponseOf<"get_connections_id_diagnosis">>(
        "GET",
        `connections/${id}/diagnosis`,
      );
      return { type: "diagnosed", diagnosis };
    },
  };
}
