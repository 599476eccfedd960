import type { ZoneLine } from "../../clients/connecting.ts";
import { type Product, registrableDomain } from "./product.ts";
import { vercelCalls } from "./vercel-calls.ts";

const connected = "Domain Verified";

/** Screen recordings. Its page shows what Vercel's API recommends, and asks every five seconds. */
export const cap: Product = {
  name: "Cap",
  source: {
    repository: "CapSoftware/Cap",
    commit: "0ce9e67516b14449c4263c0b173c85c40f30421b",
    files: [
      "apps/web/actions/organization/domain-utils.ts",
      "apps/web/actions/organization/update-domain.ts",
      "apps/web/actions/organization/remove-domain.ts",
      "apps/web/app/(org)/dashboard/settings/organization/components/CustomDomainDialog/VerifyStep.tsx",
    ],
  },
  target: "answers",
  connected,
  open(installation) {
    const calls = vercelCalls(installation);
    /** Records of the vendor's own DNS first, then the configuration, then the list. */
    const requiredAddress = async (hostname: string): Promise<string | undefined> => {
      const { body: dns } = await calls.records(hostname);
      type Line = { readonly type: string; readonly name: string; readonly value: string };
      const own = dns.records?.find(({ type, name }: Line) => type === "A" && name === "");
      if (own) return own.value;
      const { body: config } = await calls.config(hostname);
      if (config.aValues?.length > 0) return config.aValues[0];
      const { body: list } = await calls.list();
      const found = list.domains?.find(({ name }: { readonly name: string }) => name === hostname);
      return found?.apexValue;
    };
    return {
      async add(hostname) {
        const { body } = await calls.add("v9", { name: hostname });
        if (body.error) throw new Error(body.error.message);
      },
      async read(hostname) {
        const isApex = registrableDomain(hostname) === hostname;
        const [{ body: domain }, { body: config }, required] = await Promise.all([
          calls.read(hostname),
          calls.config(hostname, "&strict=true"),
          requiredAddress(hostname),
        ]);
        const isFound = !config.misconfigured && domain.error?.code !== "not_found";
        const isVerified =
          isFound &&
          (domain.verified || (await calls.verify(hostname, "&strict=true")).body?.verified);
        if (isVerified) return { status: connected, records: [] };
        const addresses: readonly string[] = required
          ? [required]
          : (config.recommendedIPv4[0]?.value ?? []);
        const cname: string = config.recommendedCNAME[0].value;
        const missing = isApex
          ? addressRecords(hostname, addresses, config.aValues)
          : aliasRecords(hostname, cname, config.cnames);
        const texts = (domain.verification ?? []) as readonly { domain: string; value: string }[];
        return {
          status: "Verify your domain",
          records: [
            // The name of the record is shown without the domain that is being added.
            ...texts.map((text) => ({ host: text.domain, type: "TXT", value: text.value })),
            ...missing,
          ],
        };
      },
      check: null,
      async remove(hostname) {
        await calls.remove(hostname);
      },
    };
  },
};

/** Nothing once one of the addresses was seen. */
function addressRecords(
  host: string,
  addresses: readonly string[],
  seen: readonly string[],
): readonly ZoneLine[] {
  const [value = ""] = addresses;
  return addresses.some((one) => seen.includes(one)) ? [] : [{ host, type: "A", value }];
}

function aliasRecords(host: string, value: string, seen: readonly string[]): readonly ZoneLine[] {
  return seen.includes(value) ? [] : [{ host, type: "CNAME", value }];
}
