import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { freshZone, openCaller, readMade } from "@mooring/testing/clients/connecting";
import {
  type IdentityProvider,
  startIdentityProvider,
} from "@mooring/testing/clients/identity-provider";
import type { TestApp } from "@mooring/testing/control/app";
import { startTestApp } from "@mooring/testing/control/app";
import {
  type DomainConnectApp,
  freshHostname,
  startDomainConnectApp,
} from "@mooring/testing/control/domain-connect-app";
import { call, textOf } from "@mooring/testing/control/http";
import { type OidcIssuer, startOidcIssuer } from "@mooring/testing/control/oidc-issuer";
import { withoutLimits } from "@mooring/testing/control/world";

/** What a browser brings back from elsewhere, and how: each way fails after another check. */
const failures: Readonly<Record<string, (query: URLSearchParams) => void>> = {
  "a code that was not issued": (query) => query.set("code", `forged-${randomUUID()}`),
  "a state of somebody else": (query) => query.set("state", `forged-${randomUUID()}`),
  "no state": (query) => query.delete("state"),
  "a refusal beside the code": (query) => {
    query.set("error", "access_denied");
    query.set("error_description", `no-${randomUUID()}`);
  },
  "two codes": (query) => query.append("code", randomUUID()),
  "another issuer": (query) => query.set("iss", `https://${randomUUID()}.example`),
  "tokens instead of a code": (query) => {
    query.set("id_token", randomUUID());
    query.set("access_token", randomUUID());
  },
};

describe("the log of a callback that fails", () => {
  let issuer: OidcIssuer;
  let idp: IdentityProvider;
  let signIns: TestApp;
  let connect: DomainConnectApp;
  before(async () => {
    issuer = await startOidcIssuer();
    idp = await startIdentityProvider("sandbox");
    signIns = await startTestApp({
      ...withoutLimits,
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: issuer.clientId,
      OIDC_CLIENT_SECRET: issuer.clientSecret,
      OAUTH_SANDBOX_CLIENT_ID: idp.clientId,
      OAUTH_SANDBOX_CLIENT_SECRET: idp.clientSecret,
      OAUTH_SANDBOX_URL: idp.url,
      EGRESS_ALLOW: "127.0.0.0/8",
    });
    idp.serviceUrl = signIns.api.url;
    connect = await startDomainConnectApp();
    await connect.makeKey();
    await connect.deploy();
  });
  after(async () => {
    await connect.close();
    await signIns.close();
    await idp.close();
    await issuer.close();
  });

  /** Makes the request in a new attempt, and reads what was logged since. */
  interface Callback {
    readonly app: () => TestApp;
    /** The URL that the other side sends the browser to, and the browser's cookies. */
    readonly begin: () => Promise<{ readonly url: URL; readonly cookie: string }>;
  }

  const callbacks: Readonly<Record<string, Callback>> = {
    "the console's sign-in": {
      app: () => signIns,
      async begin() {
        issuer.identity = { email: "nobody@harbour.example", email_verified: true };
        const to = `${signIns.api.url}/console/oidc/start`;
        const start = await fetch(to, { redirect: "manual" });
        const location = start.headers.get("location") ?? "";
        const back = await fetch(location, { redirect: "manual" });
        const [cookie = ""] = start.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
        return { url: new URL(back.headers.get("location") ?? ""), cookie };
      },
    },
    "a sign-in at a DNS provider": {
      app: () => signIns,
      async begin() {
        const { keys } = await signIns.tenant(`tenant ${randomUUID()}`);
        const { base, key, applicationId } = await openCaller(signIns.api.url, keys.test);
        const body = { application_id: applicationId, hostname: `shop.${freshZone()}` };
        const made = readMade(await call(base, "/v1/connections", { key, body }));
        const path = `/v1/connections/${made.id}/oauth:start`;
        const started = await call(base, path, { key, method: "POST" });
        const page = await (await fetch(textOf(started, "authorize_url"))).text();
        const allow = /href="([^"]+)">Allow/.exec(page)?.[1]?.replaceAll("&amp;", "&");
        return { url: new URL(allow ?? ""), cookie: "" };
      },
    },
    "Domain Connect": {
      app: () => connect.app,
      async begin() {
        const id = await connect.connect(freshHostname());
        const link = new URL(await connect.link(id, {}));
        const url = new URL(link.searchParams.get("redirect_uri") ?? "");
        url.searchParams.set("state", link.searchParams.get("state") ?? "");
        url.searchParams.set("code", randomUUID());
        return { url, cookie: "" };
      },
    },
  };

  for (const [name, { app, begin }] of Object.entries(callbacks)) {
    for (const [failure, change] of Object.entries(failures)) {
      it(`of ${name} has nothing of its query, after ${failure}`, async () => {
        const { url, cookie } = await begin();
        change(url.searchParams);
        const { takeLog, api } = app();
        takeLog();
        const at = `${api.url}${url.pathname}${url.search}`;
        const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
        await answer.text();
        const log = takeLog().join("\n");
        assert.match(log, /"request"/);
        // Short values are words of the protocol.
        const secrets = [...url.searchParams.values()].filter((value) => value.length > 20);
        const inPath = url.pathname.split("/").filter((part) => part.length > 20);
        for (const secret of [...secrets, ...inPath]) {
          assert.ok(!log.includes(secret), `${secret} in ${log}`);
          assert.ok(!log.includes(encodeURIComponent(secret)), `${secret} in ${log}`);
        }
      });
    }
  }
});
