import type { Person, Step } from "./takeovers.ts";

const aliceHas = ["create alice", "dns cname:alice", "verify alice"];
const aliceIsLive = [...aliceHas, "live alice"];
const contested = ["verify bob", "wait 60", "wait 61", "wait 2"];

/** What is tried, in which steps, and who has the name in the end. */
export const takeovers: readonly (readonly [string, readonly Step[], Person | null])[] = [
  [
    "another tenant adds a released name whose CNAME stays",
    [...aliceHas, "archive alice", "create bob", "verify bob", "wait 5"],
    null,
  ],
  [
    "another customer of the application adds it",
    [...aliceHas, "archive alice", "create carol", "verify carol", "wait 5"],
    null,
  ],
  [
    "another application of the tenant adds it",
    [...aliceHas, "archive alice", "create dora", "verify dora", "wait 5"],
    null,
  ],
  [
    "the same customer adds it again",
    [...aliceHas, "archive alice", "create bob", "create alice", "verify bob", "verify alice"],
    "alice",
  ],
  [
    "a customer whom the tenant does not name has left, and the next one adds it",
    [
      ...["create bob", "dns cname:bob delegation:bob", "verify bob", "archive bob"],
      ...["create bob", "verify bob", "wait 5"],
    ],
    null,
  ],
  [
    "a target that is seen in public DNS is replayed by another tenant",
    ["create alice", "create bob", "dns cname:alice", "verify bob", "wait 5", "verify bob"],
    "alice",
  ],
  [
    "two race, and the name has the target of the second",
    ["create alice", "create bob", "dns cname:bob", "verify alice", "verify bob", "verify alice"],
    "bob",
  ],
  [
    "two race with a TXT record each, and the first has proven",
    [
      ...["create alice", "create bob", "dns txt:bob", "verify bob"],
      ...["dns txt:alice txt:bob", "verify alice", "wait 5"],
    ],
    "bob",
  ],
  [
    "two race with a CNAME and a TXT record",
    [...aliceHas, "create bob", "dns cname:alice txt:bob", ...contested],
    "alice",
  ],
  [
    "the chain goes through somebody else's name",
    ["create bob", "dns chain:bob", "verify bob", "wait 5"],
    null,
  ],
  [
    "the holder's name leads to us by another name of the zone, and another proves it",
    [
      ...[...aliceIsLive, "dns chain:alice", "wait 121", "wait 2"],
      ...["create bob", "dns chain:alice txt:bob", "verify bob"],
    ],
    "alice",
  ],
  [
    "the holder's chain stands against a TXT record, and proves nothing",
    [...aliceIsLive, "create bob", "dns chain:alice txt:bob", ...contested],
    "bob",
  ],
  [
    "the holder's chain stands beside its delegation, against a TXT record",
    [...aliceIsLive, "create bob", "dns chain:alice delegation:alice txt:bob", ...contested],
    "alice",
  ],
  [
    "the holder's name leads to the target of another by another name of the zone",
    [
      ...[...aliceIsLive, "create bob", "dns chain:bob", "wait 121", "wait 2"],
      ...["dns chain:bob txt:bob", "verify bob"],
    ],
    "bob",
  ],
  [
    "a wildcard of the zone has the target",
    ["create bob", "dns wild:bob", "verify bob", "wait 5"],
    null,
  ],
  [
    "a wildcard has the target beside the name's own CNAME to another's",
    ["create alice", "create bob", "dns wild:bob cname:alice", "verify bob", "verify alice"],
    "alice",
  ],
  [
    "a wildcard has the very target of the name's own CNAME",
    ["create bob", "dns wild:bob cname:bob", "verify bob", "wait 5"],
    null,
  ],
  [
    "a wildcard gives the validation name",
    ["create bob", "dns shared under:bob", "verify bob", "wait 5"],
    null,
  ],
  [
    "the name has the edge's shared name",
    ["create alice", "create bob", "dns shared", "verify alice", "verify bob", "wait 5"],
    null,
  ],
  ["the CNAME is in capitals", ["create alice", "dns CNAME:alice", "verify alice"], "alice"],
  [
    "TXT against the holder's CNAME",
    [...aliceIsLive, "create bob", "dns cname:alice txt:bob", ...contested],
    "alice",
  ],
  [
    "delegation against the holder's CNAME",
    [...aliceIsLive, "create bob", "dns cname:alice delegation:bob", ...contested],
    "alice",
  ],
  [
    "delegation against a holder that has lost its own",
    [...aliceIsLive, "create bob", "dns shared delegation:bob", ...contested],
    "bob",
  ],
  [
    "CNAME against the delegation of a holder that visitors do not reach",
    [...aliceIsLive, "create bob", "dns cname:bob delegation:alice", ...contested],
    "bob",
  ],
  [
    "TXT against the holder's delegation",
    [...aliceIsLive, "create bob", "dns shared delegation:alice txt:bob", ...contested],
    "alice",
  ],
  [
    "a holder by CNAME gives way to a new owner's CNAME",
    [...aliceIsLive, "create bob", "dns cname:bob", ...contested, "create alice", "verify alice"],
    "bob",
  ],
  [
    "the loser's CNAME comes back after the name has passed",
    [
      ...[...aliceIsLive, "create bob", "dns cname:bob", ...contested],
      ...["create alice", "dns cname:bob txt:alice", "verify alice", "wait 5"],
    ],
    "bob",
  ],
  [
    "a drifted holder, and a proof of another",
    [
      ...[...aliceIsLive, "dns away", "wait 121", "wait 2"],
      ...["create bob", "dns cname:bob", "verify bob"],
    ],
    "bob",
  ],
  [
    "a drifted holder, and another without a proof",
    [
      ...[...aliceIsLive, "dns away", "wait 121", "wait 2"],
      ...["create bob", "dns chain:bob", "verify bob", "wait 2"],
    ],
    "alice",
  ],
  [
    "a proof that the application does not allow",
    ["allow bob txt", "create bob", "dns cname:bob delegation:bob", "verify bob", "wait 5"],
    null,
  ],
  [
    "the proofs are narrowed while the connection waits",
    ["create bob", "allow bob txt", "dns cname:bob", "verify bob", "dns txt:bob", "verify bob"],
    "bob",
  ],
  [
    "the proofs are narrowed while the name is live",
    [...aliceIsLive, "allow alice txt", "wait 121", "wait 2"],
    "alice",
  ],
  [
    "a holder is contested after its proofs were narrowed, and has no other",
    [...aliceIsLive, "allow alice txt", "create bob", "dns cname:alice txt:bob", ...contested],
    "bob",
  ],
  [
    "a holder is contested after its proofs were narrowed, and adds the one that counts",
    [
      ...[...aliceIsLive, "allow alice txt", "create bob", "dns cname:alice txt:bob"],
      ...["verify bob", "dns cname:alice txt:bob txt:alice", "wait 60", "wait 61", "wait 2"],
    ],
    "alice",
  ],
  [
    "the former customer adds a name that was handed on",
    [...aliceHas, "hand alice carol", "archive carol", "create alice", "verify alice", "wait 5"],
    null,
  ],
  [
    "the customer whom it was handed to adds it again",
    [...aliceHas, "hand alice carol", "archive carol", "create carol", "verify carol"],
    "carol",
  ],
];
