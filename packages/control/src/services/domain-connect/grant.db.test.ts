import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import {
  type DomainConnectApp,
  freshHostname,
  startDomainConnectApp,
} from "@mooring/testing/control/domain-connect-app";
import { generateRootKey, VaultError } from "@mooring/vault";
import type pg from "pg";
import { saveGrant } from "../../db/queries/domain-connect/domain-connect.ts";
import { openRuntime } from "../../process/open-runtime.ts";
import { rotateSecrets } from "../operator/rotate-secrets.ts";
import type { Runtime } from "../runtime.ts";
import { findGrant, grantContext, sealTokens, sweepDomainConnect } from "./grant.ts";
import { currentSigningKey } from "./keys.ts";

const { signal } = new AbortController();
const oldKey = generateRootKey();
const newKey = generateRootKey();
const tokens = { accessToken: "access", refreshToken: null };

describe("what Domain Connect stores", () => {
  let one: DomainConnectApp;
  let session: pg.Client;
  before(async () => {
    one = await startDomainConnectApp({ SECRET_KEY: oldKey });
    session = await openSession(one.app.databaseUrl);
    await one.makeKey();
    await one.deploy();
  });
  after(async () => {
    await session.end();
    await one.close();
  });

  const withKeys = async <T>(secretKey: string, work: (runtime: Runtime) => Promise<T>) => {
    const { app, provider } = one;
    const options = { url: app.databaseUrl, role: "mooring_operator", name: "test" } as const;
    const opened = await openRuntime(
      { ...app.config, secretKey },
      { ...options, clock: app.clock, log: app.operator.log, resolver: provider.resolver },
    );
    try {
      return await work(opened.runtime);
    } finally {
      await opened.close();
    }
  };

  const withGrant = async (): Promise<{ readonly id: string; readonly tenantId: string }> => {
    const id = await one.connect(freshHostname());
    await one.link(id);
    const { rows } = await session.query<{ tenant_id: string }>(
      "select tenant_id from connections where id = $1",
      [id],
    );
    const tenantId = rows[0]?.tenant_id ?? "";
    const owner = { tenantId, connectionId: id };
    const { operator, clock } = one.app;
    await operator.database.transaction((tx) =>
      saveGrant(tx, {
        ...owner,
        environment: "live",
        providerId: "dns.example",
        providerName: "DNS Example",
        zone: "acme.example",
        host: "shop",
        serviceId: "sub",
        sealed: sealTokens(operator, owner, tokens),
        tokenExpiresAt: null,
        createdAt: clock.now(),
        appliedAt: null,
      }),
    );
    return { id, tenantId };
  };

  it("is deleted after a week: attempts, and grants of archived connections", async () => {
    const living = await withGrant();
    const ended = await withGrant();
    const count = async (table: string): Promise<number> => {
      const { rows } = await session.query<{ n: number }>(
        `select count(*)::int as n from ${table} where connection_id in ($1, $2)`,
        [living.id, ended.id],
      );
      return rows[0]?.n ?? -1;
    };
    await session.query(
      "update connections set state = 'archived', archived_at = $2 where id = $1",
      [ended.id, one.app.clock.now()],
    );
    await sweepDomainConnect(one.app.operator);
    assert.deepEqual(
      [await count("domain_connect_attempts"), await count("domain_connect_grants")],
      [2, 2],
    );
    one.app.clock.advance(8 * 86_400_000);
    await sweepDomainConnect(one.app.operator);
    assert.deepEqual(
      [await count("domain_connect_attempts"), await count("domain_connect_grants")],
      [0, 1],
    );
    assert.ok(await findGrant(one.app.operator, living.id));
  });

  it("is resealed when the root key is rotated", async () => {
    const { id, tenantId } = await withGrant();
    const report = await withKeys(`${newKey},${oldKey}`, (runtime) => rotateSecrets(runtime));
    assert.deepEqual([report.unreadable, report.uncovered, report.remaining], [[], [], 0]);
    await withKeys(newKey, async (runtime) => {
      const key = await currentSigningKey(runtime, "mooring.example", signal);
      assert.equal(key?.label, "_dck1");
      const grant = await findGrant(runtime, id);
      assert.ok(grant);
      const open = (context: ReturnType<typeof grantContext>) =>
        runtime.vault.open("domain_connect", context, grant.sealed).toString("utf8");
      assert.deepEqual(JSON.parse(open(grantContext(tenantId, id))), tokens);
      const elsewhere = [
        grantContext(tenantId, crypto.randomUUID()),
        grantContext(crypto.randomUUID(), id),
      ];
      for (const context of elsewhere) assert.throws(() => open(context), VaultError);
    });
  });
});
