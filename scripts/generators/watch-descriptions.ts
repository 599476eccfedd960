/** What is set about what the service watches: requests, and certificates by others. */
export const watchDescriptions = {
  TRAFFIC: {
    meaning:
      "`off`: edges do not count requests by connection, and the API says so. See [traffic](traffic.md).",
    fallback: "`on`",
  },
  CT_LOGS: {
    meaning:
      "A file with the certificate transparency logs to read for certificates that others obtain, as browsers publish theirs: [certificates by others](transparency.md). Of the workers; with it, `EDGE_KIND` must be `own`.",
    fallback: "none are read",
  },
} as const;
