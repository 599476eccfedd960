import { type FormEvent, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { type Account, api } from "./api.ts";
import { Domains } from "./domains.tsx";

function App() {
  const [account, setAccount] = useState<Account | null | undefined>(undefined);
  useEffect(() => {
    api<Account>("me").then(setAccount, () => setAccount(null));
  }, []);
  const signOut = () => {
    api("sign-out", "POST").then(
      () => setAccount(null),
      () => location.reload(),
    );
  };
  if (account === undefined) return <p>Loading …</p>;
  return (
    <>
      <header>
        <h1>{account?.shop ?? "Acme Shops"}</h1>
        {account ? (
          <p>
            {account.email}{" "}
            <button type="button" onClick={signOut}>
              Sign out
            </button>
          </p>
        ) : null}
      </header>
      <main>{account ? <Domains /> : <SignUp onDone={setAccount} />}</main>
    </>
  );
}

/** One form for both: a newcomer also names the shop. */
function SignUp({ onDone }: { readonly onDone: (account: Account) => void }) {
  const [isNew, setIsNew] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget));
    const path = isNew ? "sign-up" : "sign-in";
    api<Account>(path, "POST", fields).then(onDone, (error: Error) => setProblem(error.message));
  };
  return (
    <form onSubmit={submit}>
      <h2>{isNew ? "Open your shop" : "Sign in"}</h2>
      {isNew ? (
        <label>
          Name of the shop <input name="shop" required maxLength={100} />
        </label>
      ) : null}
      <label>
        E-mail <input name="email" type="email" required autoComplete="email" />
      </label>
      <label>
        Password{" "}
        <input
          name="password"
          type="password"
          required
          minLength={8}
          autoComplete={isNew ? "new-password" : "current-password"}
        />
      </label>
      <button type="submit" className="primary">
        {isNew ? "Sign up" : "Sign in"}
      </button>
      <button type="button" onClick={() => setIsNew(!isNew)}>
        {isNew ? "I have an account" : "I am new here"}
      </button>
      <p role="alert">{problem}</p>
    </form>
  );
}

const root = document.querySelector("#root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
