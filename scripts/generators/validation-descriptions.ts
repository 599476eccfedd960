/** The variables of delegated validation. */
const delegated = {
  VALIDATION_ZONE: {
    meaning:
      "The zone that you delegate to `mooring serve dns`, such as `v.example.com`. Without it there are no wildcards and no DNS-01.",
    fallback: "none; `validation.test` under `npm start`, for names of the sandbox",
  },
  VALIDATION_NS: {
    meaning:
      "The names of the zone's name servers, as the parent zone has them, separated by commas; each has its addresses outside of the zone. A CA is asked to validate when every one of them shows the value.",
  },
  VALIDATION_PERSIST: {
    meaning:
      "`true`: where the CA offers `dns-persist-01` (a draft) and `_validation-persist.<name>` is a CNAME to the validation name as well, a record that stays proves control, and no order changes DNS.",
  },
  VALIDATION_HOST: {
    meaning: "Addresses on which `mooring serve dns` listens, over UDP and TCP.",
    fallback: "`::`, which is every address; `127.0.0.1` under `npm start`",
  },
  VALIDATION_PORT: {
    meaning: "The port on which `mooring serve dns` listens. Resolvers ask port 53.",
    fallback: "`53`; `8053` under `npm start`",
  },
  VALIDATION_INTERNAL_PORT: {
    meaning: "Health and metrics of a name server. No authentication: do not expose it.",
  },
  VALIDATION_RATE_LIMIT: {
    meaning:
      "Answers over UDP a second to one network (/24 of IPv4, /56 of IPv6); beyond that clients are sent to TCP. `0` for no limit.",
  },
} as const;

/** And the one of the other record that proves ownership, which is grouped with the edge. */
export const validationDescriptions = {
  EDGE_TARGETS: {
    meaning:
      "`unique`: each connection has a name of its own below `EDGE_CNAME` as the target of its CNAME, which then proves ownership by itself. One wildcard record below `EDGE_CNAME` must lead to the edge: see [one record](self-hosting.md#one-record-for-each-customer). While it does not, new connections get `EDGE_CNAME` itself. `shared`: all have `EDGE_CNAME`.",
    fallback: "`shared`; the deployments in `deploy/` and `npm start` set `unique`",
  },
  ...delegated,
} as const;

export const validationGroup = {
  title: "Delegated validation",
  about:
    "For wildcards, and for certificates before any traffic is moved: see [delegated validation](delegated-validation.md).",
  variables: Object.keys(delegated) as (keyof typeof delegated)[],
};
