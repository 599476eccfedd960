import assert from "node:assert/strict";
import {
  archive,
  type Caller,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  readMade,
  tryToConnect,
  verify,
  type ZoneLine,
} from "../clients/connecting.ts";
import type { LifecycleApp } from "../processes/lifecycle-app.ts";
import { call, textOf } from "./http.ts";

/**
 * Who takes part: Alice and Carol are customers of one application, Dora of another one of the same
 * tenant; Bob is a customer of another tenant.
 */
export const people = ["alice", "bob", "carol", "dora"] as const;
export type Person = (typeof people)[number];

/**
 * One event: `create`, `verify`, `archive` or `live` with a person; `allow` with a person and the
 * proofs of their application; `hand` with two: the connection of the first is the second's from
 * now on; `wait` with minutes, then every connection is checked; `dns` with what the zone has from
 * now on, see `lineFor`.
 */
export type Step = string;

/** Where a sequence is played: the processes, and the DNS of the customers' zone. */
export interface Stage {
  readonly life: LifecycleApp;
  readonly callers: Readonly<Record<Person, Caller>>;
  readonly edge: string;
  /** Replaces all records of the zone. */
  publish(zone: string, lines: readonly ZoneLine[]): Promise<void>;
}

const customers: Readonly<Record<Person, string | null>> = {
  alice: "a",
  bob: null,
  carol: "c",
  dora: "a",
};

export async function openStage(
  life: LifecycleApp,
  environment: "test" | "live",
  rest: Pick<Stage, "edge" | "publish">,
): Promise<Stage> {
  const alice = await life.caller("Alice", environment);
  const { base, key } = alice;
  const second = await call(base, "/v1/applications", { key, body: { name: "Second" } });
  const dora = { base, key, applicationId: textOf(second, "id") };
  const bob = await life.caller("Bob", environment);
  return { life, callers: { alice, bob, carol: alice, dora }, ...rest };
}

interface Owned extends Made {
  readonly target: string;
  readonly validation: { readonly name: string; readonly target: string };
}

interface Play {
  readonly stage: Stage;
  readonly zone: string;
  readonly hostname: string;
  readonly own: Map<Person, Owned>;
  /** Whose each connection is. */
  readonly owners: Map<string, Person>;
  readonly allowed: Map<Person, readonly string[]>;
  lines: readonly ZoneLine[];
  holder: string | null;
}

const allProofs = ["txt", "cname", "delegation"];

/**
 * Plays the steps and checks after each that nobody has the name without a proof of their own, nor
 * by one that their application does not allow, and that no target is two people's. Answers who has
 * the name in the end.
 */
export async function playTakeover(
  stage: Stage,
  { zone, hostname }: Pick<Play, "zone" | "hostname">,
  steps: readonly Step[],
): Promise<Person | null> {
  const play: Play = {
    stage,
    zone,
    hostname,
    lines: [],
    holder: null,
    own: new Map(),
    owners: new Map(),
    allowed: new Map(),
  };
  await stage.publish(zone, []);
  // What DNS had at any time: a check that saw it may be written later.
  const published = new Set([play.lines]);
  for (const [index, step] of steps.entries()) {
    await act(play, step);
    published.add(play.lines);
    await requireRight(play, published, `${hostname}: ${steps.slice(0, index + 1).join("; ")}`);
  }
  assert.deepEqual(await stage.life.broken(), [], `${hostname}: ${steps.join("; ")}`);
  const last = play.holder === null ? null : (play.owners.get(play.holder) ?? null);
  for (const [id, person] of play.owners) await archive(stage.callers[person], id);
  for (const person of play.allowed.keys()) await allow(play, person, allProofs);
  return last;
}

async function act(play: Play, step: Step): Promise<void> {
  const { stage, own, zone } = play;
  const [verb = "", ...words] = step.split(" ");
  const person = words[0] as Person;
  const made = own.get(person);
  switch (verb) {
    case "create":
      return create(play, person);
    case "verify":
      if (made) assert.notEqual((await verify(stage.callers[person], made.id)).status, 429);
      return;
    case "archive":
      if (made) await archive(stage.callers[person], made.id);
      return;
    case "live":
      assert.ok(made);
      await stage.life.reach(made.id, "issuing_cert");
      await issueCertificates(stage.life.session);
      return stage.life.reach(made.id, "live");
    case "allow":
      return allow(play, person, (words[1] ?? "").split(","));
    case "hand":
      return hand(play, person, words[1] as Person);
    case "wait":
      return stage.life.checkAll(Number(words[0]) * 60_000);
    case "dns":
      play.lines = words.flatMap((word) => lineFor(play, word));
      return stage.publish(zone, play.lines);
    default:
      throw new Error(`unknown step ${step}`);
  }
}

async function create(play: Play, person: Person): Promise<void> {
  const { stage, hostname, own, owners } = play;
  const caller = stage.callers[person];
  const more = { contest: true, customer_ref: customers[person] ?? undefined };
  const answer = await tryToConnect(caller, hostname, more);
  // One who has the name already has nothing to create.
  if (answer.status === 409) return;
  const made = readMade(answer);
  const shown = (await get(caller, made.id)).json() as unknown as Omit<Owned, keyof Made>;
  own.set(person, { ...made, target: shown.target, validation: shown.validation });
  owners.set(made.id, person);
}

async function allow(play: Play, person: Person, proofs: readonly string[]): Promise<void> {
  const { base, key, applicationId } = play.stage.callers[person];
  const options = { key, method: "PATCH", body: { proofs } };
  const answer = await call(base, `/v1/applications/${applicationId}`, options);
  assert.equal(answer.status, 200, answer.text);
  play.allowed.set(person, proofs);
}

async function hand(play: Play, from: Person, to: Person): Promise<void> {
  const made = play.own.get(from);
  if (!made) return;
  const { base, key } = play.stage.callers[from];
  const options = { key, method: "PATCH", body: { customer_ref: customers[to] } };
  const answer = await call(base, `/v1/connections/${made.id}`, options);
  if (answer.status !== 200) return;
  play.own.delete(from);
  play.own.set(to, made);
  play.owners.set(made.id, to);
}

/**
 * `cname:alice`, `txt:alice`, `delegation:alice`: her proofs; `CNAME:alice` in capitals. `wild`:
 * her target for every name of the zone; `under`: her validation name for every name below the
 * hostname; `chain`: another name in between. `shared`: the name that all share; `away`: elsewhere.
 */
function lineFor({ own, hostname, zone, stage }: Play, word: string): ZoneLine[] {
  const [kind = "", person] = word.split(":");
  const cname = (host: string, value: string): ZoneLine => ({ host, type: "CNAME", value });
  if (kind === "shared") return [cname(hostname, stage.edge)];
  if (kind === "away") return [{ host: hostname, type: "A", value: "203.0.113.9" }];
  const made = own.get(person as Person);
  if (!made) return [];
  switch (kind) {
    case "cname":
      return [cname(hostname, made.target)];
    case "CNAME":
      return [cname(hostname, made.target.toUpperCase())];
    case "txt":
      return [proofRecord(made)];
    case "delegation":
      return [cname(made.validation.name, made.validation.target)];
    case "wild":
      return [cname(`*.${zone}`, made.target)];
    case "under":
      return [cname(`*.${hostname}`, made.validation.target)];
    case "chain":
      return [cname(hostname, `mid.${zone}`), cname(`mid.${zone}`, made.target)];
    default:
      throw new Error(`unknown record ${word}`);
  }
}

/** By what the records prove the name for this connection; written without the product's code. */
function provenBy(made: Owned, { zone, hostname }: Play, lines: readonly ZoneLine[]): string[] {
  const has = (host: string, type: string, value: string) =>
    lines.some(
      (line) =>
        line.host === host &&
        line.type === type &&
        line.value.toLowerCase() === value.toLowerCase(),
    );
  const { name, target } = made.validation;
  const isCname = has(hostname, "CNAME", made.target) && !has(`*.${zone}`, "CNAME", made.target);
  const isDelegated = has(name, "CNAME", target) && !has(`*.${hostname}`, "CNAME", target);
  return [
    ...(has(`_service-challenge.${hostname}`, "TXT", made.challenge) ? ["txt"] : []),
    ...(isCname ? ["cname"] : []),
    ...(isDelegated ? ["delegation"] : []),
  ];
}

async function requireRight(
  play: Play,
  published: ReadonlySet<readonly ZoneLine[]>,
  story: string,
): Promise<void> {
  const { stage, hostname, own, owners, allowed } = play;
  const { session } = stage.life;
  const { rows: shared } = await session.query(
    `select target_label as label from connections where state <> 'archived' and target_label is not null
       group by 1 having count(distinct (application_id, customer_ref, hostname)) > 1
     union all
     select validation_label from connections where state <> 'archived' and validation_label is not null
       group by 1 having count(distinct (application_id, customer_ref)) > 1`,
  );
  assert.deepEqual(shared, [], `a name of two people: ${story}`);
  const { rows } = await session.query<{ id: string; method: string }>(
    `select k.id, k.ownership_method as method
     from claims c join connections k on k.id = c.connection_id where c.hostname = $1`,
    [hostname],
  );
  const holder = rows[0] ?? null;
  const isNew = holder !== null && holder.id !== play.holder;
  play.holder = holder?.id ?? null;
  if (!isNew) return;
  const person = owners.get(holder.id);
  assert.ok(person, `a holder whom nobody made: ${story}`);
  const made = own.get(person);
  assert.equal(made?.id, holder.id, story);
  const proofs = [...published].flatMap((all) => (made ? provenBy(made, play, all) : []));
  assert.ok(proofs.includes(holder.method), `${person} has it by ${holder.method}: ${story}`);
  assert.ok((allowed.get(person) ?? allProofs).includes(holder.method), story);
}
