import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadPackages } from "../../../../test/npm-packages/load-packages.ts";
import { readSendingAccount } from "../../src/sending/account.ts";
import { generateSending } from "../../src/sending/generate.ts";
import { withoutTls } from "./sdk-transport.ts";
import { createSendingAccounts, type SendingAccounts } from "./sending-accounts.ts";

type Service = keyof SendingAccounts["access"];

/** What a vendor's own client sees of a domain: its DKIM values, and whether it may send. */
interface Seen {
  readonly dkim: readonly string[];
  readonly isAccepted: boolean;
}

interface Client {
  add(domain: string): Promise<unknown>;
  read(domain: string): Promise<Seen>;
}

const domain = "mail.acme.example";

/**
 * The vendor's client and our reader work in the same account, at the vendor's own address: the
 * client adds the domain, and both must see the same values, before and after the service has
 * accepted it.
 */
function tryClient(
  service: Service,
  open: (load: NodeJS.Require, access: Readonly<Record<string, string>>) => Client,
): void {
  it(`${service}'s client`, () =>
    loadPackages("soak-sdks").then(async (load) => {
      const accounts = createSendingAccounts();
      const asked: string[] = [];
      const send = async (method: string, url: string, headers: Headers, body: string | null) => {
        const answer = accounts.answer(method, new URL(url), headers, body ?? "");
        asked.push(`${method} ${new URL(url).pathname} ${answer.status}`);
        return answer;
      };
      await withoutTls(send, async () => {
        const client = open(load, accounts.access[service]);
        const ours = (verify: boolean, access = accounts.access[service]) =>
          readSendingAccount(
            service,
            { domain, access, baseUrl: null, fetch, now: () => new Date(), verify },
            AbortSignal.timeout(60_000),
          );
        await assert.rejects(ours(false), /add it there first/, asked.join());
        await client.add(domain);
        for (const isAccepted of [false, true]) {
          accounts.isPublished = isAccepted;
          const read = await ours(true);
          const seen = await client.read(domain);
          assert.equal(read.isAccepted, isAccepted, asked.join());
          assert.equal(seen.isAccepted, isAccepted, asked.join());
          const made = generateSending({ provider: service, domain, inputs: read.inputs });
          assert.ok(made.ok, JSON.stringify(made));
          const values = made.set.records.map(({ record }) => record.value.replaceAll("; ", ";"));
          assert.ok(seen.dkim.length > 0);
          for (const value of seen.dkim) assert.ok(values.includes(value), `${value}: ${values}`);
        }
        const wrong = Object.entries(accounts.access[service]).map(([key, value]) => [
          key,
          key === "region" ? value : `${value}x`,
        ]);
        await assert.rejects(ours(false, Object.fromEntries(wrong)), { kind: "auth" });
      });
    }));
}

describe("the clients of services that send mail", () => {
  tryClient("resend", (load, { api_key: key }) => {
    const { domains } = new (load("resend").Resend)(key);
    const dataOf = <T>({ data, error }: { data: T | null; error: unknown }): T => {
      assert.ok(data !== null, JSON.stringify(error));
      return data;
    };
    return {
      add: async (name) => dataOf(await domains.create({ name })),
      async read(name) {
        const { data } = dataOf<{ data: readonly { id: string; name: string }[] }>(
          await domains.list(),
        );
        const id = data.find((one) => one.name === name)?.id;
        const shown = dataOf<{ status: string; records: Record<"record" | "value", string>[] }>(
          await domains.get(id),
        );
        const dkim = shown.records.filter(({ record }) => record === "DKIM");
        return { dkim: dkim.map(({ value }) => value), isAccepted: shown.status === "verified" };
      },
    };
  });

  tryClient("postmark", (load, { account_token: token }) => {
    const client = new (load("postmark").AccountClient)(token);
    return {
      add: (Name) => client.createDomain({ Name }),
      async read(name) {
        const { Domains } = await client.getDomains({ count: 50, offset: 0 });
        const found = Domains.find(({ Name }: { Name: string }) => Name === name);
        const shown = await client.getDomain(found.ID);
        return {
          dkim: [shown.DKIMPendingTextValue || shown.DKIMTextValue],
          isAccepted: shown.DKIMVerified && shown.ReturnPathDomainVerified,
        };
      },
    };
  });

  tryClient("ses", (load, access) => {
    const sdk = load("@aws-sdk/client-sesv2");
    const client = new sdk.SESv2Client({
      region: access["region"],
      credentials: {
        accessKeyId: access["access_key_id"],
        secretAccessKey: access["secret_access_key"],
      },
    });
    return {
      add: (name) => client.send(new sdk.CreateEmailIdentityCommand({ EmailIdentity: name })),
      async read(name) {
        const shown = await client.send(new sdk.GetEmailIdentityCommand({ EmailIdentity: name }));
        const tokens: readonly string[] = shown.DkimAttributes.Tokens;
        return {
          dkim: tokens.map((token) => `${token}.dkim.amazonses.com`),
          isAccepted: shown.VerifiedForSendingStatus,
        };
      },
    };
  });
});
