import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Account, Store } from "./store.ts";

const cookie = "session";
const sessionSeconds = 14 * 86_400;
const derive = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
) => Promise<Buffer>;

/** Sign-up, sign-in and sign-out. Only hashes of passwords and sessions are stored. */
export function accountRoutes(store: Store): Hono {
  const routes = new Hono();
  routes.post("/sign-up", async (c) => {
    const { shop, email, password } = await textFields(c);
    if (!shop || !email?.includes("@") || (password?.length ?? 0) < 8) {
      return c.json(
        { problem: "Give a name, an e-mail address and a password of 8 characters." },
        400,
      );
    }
    const account = { id: randomUUID(), shop, email, password: await hashed(password ?? "") };
    if (!store.addAccount(account)) {
      return c.json({ problem: "There is an account with this e-mail address." }, 409);
    }
    startSession(c, store, account);
    return c.json(visible(account), 201);
  });
  routes.post("/sign-in", async (c) => {
    const { email = "", password = "" } = await textFields(c);
    const account = store.accountOf(email);
    // An unknown address takes as long as a wrong password.
    const isRight = await matches(password, account?.password ?? (await hashed("")));
    if (account === null || !isRight) {
      return c.json({ problem: "The e-mail address or the password is wrong." }, 401);
    }
    startSession(c, store, account);
    return c.json(visible(account));
  });
  routes.post("/sign-out", (c) => {
    store.endSession(digest(getCookie(c, cookie) ?? ""));
    deleteCookie(c, cookie);
    return c.body(null, 204);
  });
  routes.get("/me", (c) => {
    const account = signedIn(c, store);
    return account === null ? c.json({ problem: "Sign in." }, 401) : c.json(visible(account));
  });
  return routes;
}

/** The account of the request's session. */
export function signedIn(c: Context, store: Store): Account | null {
  const token = getCookie(c, cookie);
  return token === undefined ? null : store.accountOfSession(digest(token), Date.now());
}

function startSession(c: Context, store: Store, { id }: Account): void {
  const token = randomBytes(32).toString("base64url");
  store.addSession(digest(token), id, Date.now() + sessionSeconds * 1_000);
  setCookie(c, cookie, token, {
    httpOnly: true,
    sameSite: "Lax",
    secure: new URL(c.req.url).protocol === "https:",
    path: "/",
    maxAge: sessionSeconds,
  });
}

function visible({ id, shop, email }: Account): object {
  return { id, shop, email };
}

async function textFields(c: Context): Promise<Readonly<Record<string, string>>> {
  const body: unknown = await c.req.json().catch(() => null);
  const entries = Object.entries(typeof body === "object" && body !== null ? body : {});
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "string"));
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

async function hashed(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString("hex")}:${(await derive(password, salt, 32)).toString("hex")}`;
}

async function matches(password: string, stored: string): Promise<boolean> {
  const [salt = "", hash = ""] = stored.split(":");
  const derived = await derive(password, Buffer.from(salt, "hex"), 32);
  return timingSafeEqual(derived, Buffer.from(hash, "hex"));
}
