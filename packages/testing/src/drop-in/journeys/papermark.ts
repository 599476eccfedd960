import type { Product } from "./product.ts";
import {
  failure,
  readsAsConnected,
  textRecords,
  vercelCalls,
  visitorRecord,
} from "./vercel-calls.ts";

const connected = "Valid Configuration";

/** Document sharing. Its page shows what Vercel's API recommends. */
export const papermark: Product = {
  name: "Papermark",
  source: {
    repository: "mfts/papermark",
    commit: "7ff2e657ed09b56f0afcc863a5db52d0debd2e6a",
    files: [
      "lib/domains.ts",
      "pages/api/teams/[teamId]/domains/index.ts",
      "pages/api/teams/[teamId]/domains/[domain]/verify.ts",
      "components/domains/domain-configuration.tsx",
      "app/api/cron/domains/route.ts",
    ],
  },
  target: "answers",
  connected,
  open(installation) {
    const calls = vercelCalls(installation);
    return {
      async add(hostname) {
        // It does not read the answer.
        await calls.add("v10", { name: hostname });
      },
      async read(hostname) {
        const [{ body: domain }, { body: config }] = await Promise.all([
          calls.read(hostname),
          calls.config(hostname),
        ]);
        const failed = failure(domain);
        if (failed !== null) return failed;
        // Its page has the vendor's addresses written in it for this case alone.
        if (config.conflicts.length > 0) return { status: "Conflicting DNS Records", records: [] };
        const isVerified = domain.verified || (await calls.verify(hostname)).body?.verified;
        const isDone = domain.verified ? !config.misconfigured : isVerified;
        if (isDone) return { status: connected, records: [] };
        const cname = config.recommendedCNAME[0].value;
        const visitors = visitorRecord(domain, { cname, ipv4: config.recommendedIPv4[0].value[0] });
        return domain.verified
          ? { status: "Invalid Configuration", records: [visitors] }
          : { status: "Pending Verification", records: [visitors, ...textRecords(domain)] };
      },
      // Every night for all domains at once; what is not connected for 30 days is deleted.
      check: (hostnames) => Promise.all(hostnames.map((name) => readsAsConnected(calls, name))),
      async remove(hostname) {
        // Both at once, for the last name of a domain; it does not read the answers.
        await Promise.all([calls.remove(hostname), calls.removeEverywhere(hostname)]);
      },
    };
  },
};
