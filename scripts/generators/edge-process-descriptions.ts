/** The processes of an edge, and what is in front of them. */
export const edgeProcessDescriptions = {
  EDGE_WORKERS: {
    meaning:
      "How many processes one `serve edge` starts. With two or more, the end of one is no outage: the others serve while it restarts. `1` needs the least memory.",
    fallback: "one for each core on Linux, at least 2; else 1",
  },
  EDGE_WORKER: {
    meaning: "Set by an edge for the processes that it starts; do not set it yourself.",
  },
  EDGE_ACCELERATOR: {
    meaning:
      "`haproxy`: the edge starts HAProxy, which serves the busiest names in front of it; see [the accelerator](edge.md#the-accelerator).",
  },
  EDGE_ACCELERATOR_NAMES: {
    meaning:
      "How many names the accelerator serves at once, at most 5,000. With `0` it passes everything on.",
  },
  EDGE_ACCELERATOR_HTTP3: {
    meaning:
      "`true`: the accelerator serves [HTTP/3](edge.md#http3) for the names that it serves, at the UDP port of the number `EDGE_HTTPS_PORT`, and tells visitors that it is at 443; a number where they find it at another port. Needs HAProxy 3.0 with QUIC.",
  },
} as const;
