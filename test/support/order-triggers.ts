import type pg from "pg";

/** What edges order, and rows that a test keeps from them; by triggers, so that any process counts. */
export interface WatchedOrders {
  /** The name's certificate row, once there, is leased by nobody's edge until it is released. */
  hold(hostname: string): Promise<void>;
  release(hostname: string): Promise<void>;
  /** As if no order had counted so far: of one tenant only twenty may follow each other at once. */
  forgetBudget(): Promise<void>;
  /** Whoever has ordered for the name waits for three seconds before it answers the challenge. */
  slow(hostname: string): Promise<void>;
  /** Orders that were begun for the name, and ways in which it was to be proven. */
  ordersOf(hostname: string): Promise<number>;
  challengesOf(hostname: string): Promise<string[]>;
  /** The processes that began those orders, by the names of their database connections. */
  orderedBy(hostname: string): Promise<string[]>;
}

export async function watchOrders(session: pg.Client): Promise<WatchedOrders> {
  await session.query(`
    create table test_noted (hostname text, what text, detail text);
    create table test_held (hostname text);
    create table test_slow (hostname text);
    create function test_note_order() returns trigger language plpgsql security definer as $$
      begin insert into public.test_noted values (new.hostname, 'order', current_setting('application_name')); return new; end $$;
    create function test_note_challenge() returns trigger language plpgsql security definer as $$
      begin
        insert into public.test_noted values (new.hostname, 'challenge', new.kind);
        delete from public.test_slow where hostname = new.hostname;
        if found then perform pg_sleep(3); end if;
        return new;
      end $$;
    create function test_hold() returns trigger language plpgsql security definer as $$
      begin
        if new.hostname in (select hostname from public.test_held) then
          new.leased_until := now() + interval '1 hour';
        end if;
        return new;
      end $$;
    create trigger test_order after insert on acme_orders for each row execute function test_note_order();
    create trigger test_challenge after insert on acme_challenges for each row execute function test_note_challenge();
    create trigger test_hold before insert on certificates for each row execute function test_hold()`);
  const noted = async (hostname: string, what: "order" | "challenge"): Promise<string[]> => {
    const { rows } = await session.query<{ detail: string }>(
      "select detail from test_noted where hostname = $1 and what = $2",
      [hostname, what],
    );
    return rows.map((row) => row.detail);
  };
  return {
    async hold(hostname) {
      await session.query("insert into test_held values ($1)", [hostname]);
    },
    async release(hostname) {
      await session.query("delete from test_held where hostname = $1", [hostname]);
      await session.query("update certificates set leased_until = null where hostname = $1", [
        hostname,
      ]);
    },
    async forgetBudget() {
      await session.query("delete from issuance_budget");
    },
    async slow(hostname) {
      await session.query("insert into test_slow values ($1)", [hostname]);
    },
    ordersOf: async (hostname) => (await noted(hostname, "order")).length,
    challengesOf: (hostname) => noted(hostname, "challenge"),
    orderedBy: (hostname) => noted(hostname, "order"),
  };
}
