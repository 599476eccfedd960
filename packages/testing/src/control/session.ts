import type { Role } from "../../../control/src/domain/people/role.ts";
import type { Environment } from "../../../control/src/domain/tenancy.ts";
import {
  createConsoleLink,
  createOperatorLink,
} from "../../../control/src/services/operator/console-links.ts";
import type { TestApp } from "./app.ts";
import { type Answer, type Call, call, textOf } from "./http.ts";

/** A browser that has signed in to the console, as the API sees it. */
export interface Browser {
  /** `name=value` of the session's cookie. */
  readonly cookie: string;
  readonly csrf: string;
  readonly origin: string;
  /** A call as the console makes it: cookie, origin, token and environment. */
  call(path: string, options?: Call, environment?: Environment): Promise<Answer>;
}

/** The path of a new one-time link. */
export async function linkPath(
  app: TestApp,
  tenant: string,
  role: Role | null,
  email: string | null = null,
): Promise<string> {
  const { url } = await createConsoleLink(app.operator, { tenant, role, email });
  return new URL(url).pathname;
}

export async function signIn(
  app: TestApp,
  tenant: string,
  role: Role | null,
  email: string | null = null,
): Promise<Browser> {
  return openLink(app, await linkPath(app, tenant, role, email));
}

export async function signInOperator(app: TestApp): Promise<Browser> {
  const { url } = await createOperatorLink(app.operator);
  return openLink(app, new URL(url).pathname);
}

export async function openLink(app: TestApp, path: string): Promise<Browser> {
  const redeemed = await redeem(app, path);
  if (redeemed.status !== 303) throw new Error(`the link answers ${redeemed.status}`);
  return openBrowser(app, parseCookie(redeemed));
}

export async function openBrowser(app: TestApp, cookie: string): Promise<Browser> {
  const { origin } = new URL(app.config.baseUrl);
  const session = await call(app.api.url, "/v1/session", { headers: { cookie } });
  const csrf = textOf(session, "csrf_token");
  return {
    cookie,
    csrf,
    origin,
    call: (at, options = {}, environment = "test") =>
      call(app.api.url, at, {
        ...options,
        headers: {
          cookie,
          origin,
          "x-mooring-csrf": csrf,
          "x-mooring-environment": environment,
          ...options.headers,
        },
      }),
  };
}

/** POSTs a link's form as a browser does; redirects are not followed. */
export async function redeem(
  app: TestApp,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(app.api.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

/** `name=value` of the cookie that an answer sets. */
export function parseCookie(response: Response): string {
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error("no cookie is set");
  return cookie.split(";", 1)[0] ?? "";
}
