import { useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";
import { useKeys } from "./keys.ts";
import { useTypedText } from "./typed-text.ts";

interface Props {
  readonly label: string;
  readonly text: string;
  /** What is searched for, of what was typed. */
  readonly read?: (typed: string) => string;
  readonly onSearch: (text: string) => void;
}

const trim = (typed: string): string => typed.trim();

/** Searches shortly after the last key; the API wants at least two characters. */
export function SearchBox({ label, text, read = trim, onSearch }: Props) {
  const { typed, setTyped, send } = useTypedText(text, onSearch);
  const input = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => input.current?.select() });
  const search = () => {
    const next = read(typed);
    if (next.length !== 1) send(next);
  };
  useEffect(() => {
    const timer = setTimeout(search, 250);
    return () => clearTimeout(timer);
  });
  return (
    <search className="search-box">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          className="input"
          type="search"
          aria-label={label}
          placeholder={label}
          maxLength={100}
          value={typed}
          onKeyDown={(event) => (event.key === "Escape" ? input.current?.blur() : undefined)}
          onChange={(event) => setTyped(event.target.value)}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
