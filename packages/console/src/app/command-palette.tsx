import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { connectionsQuery } from "../api/queries.ts";
import { useWorkspace, type Workspace } from "../api/workspace.tsx";
import { stateLabel } from "../domains/state-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useKeys } from "../ui/keys.ts";
import { searchedText } from "./pasted-url.ts";
import { sections } from "./sections.ts";
import "./command-palette.css";

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

interface Command {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  readonly hint: string;
  readonly run: () => unknown;
}

/** Finds domains by name or customer, pages and actions, without the mouse. */
export function CommandPalette({ isOpen, onToggle }: Props) {
  useKeys({ "mod+k": () => onToggle(!isOpen) });
  return (
    <Dialog title="Find" isOpen={isOpen} onClose={() => onToggle(false)}>
      <Finder onDone={() => onToggle(false)} />
    </Dialog>
  );
}

function Finder({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const id = useId();
  const { commands, isLoading } = useCommands(searchedText(text));
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onDone();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setActive((active + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(commands[active]);
    }
  };
  return (
    <div className="palette">
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={commands[active] ? `${id}-${active}` : undefined}
        aria-label="Find a domain, a page or an action"
        placeholder="A domain, a customer, a page…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" tabIndex={-1}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the combobox
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span className="breakable">{command.title}</span>
            <span className="muted">{command.hint}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 ? (
        <p className="muted">{isLoading ? "Searching…" : "Nothing found."}</p>
      ) : null}
    </div>
  );
}

function useCommands(text: string) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const { environment } = workspace;
  const searchText = useDeferredValue(text);
  const isSearching = searchText.length >= 2;
  const { data, isFetching } = useQuery({
    ...connectionsQuery(workspace, { q: searchText }),
    enabled: isSearching,
  });
  const domains = (isSearching ? (data?.data ?? []) : []).slice(0, 8).map(
    ({ id, hostname, state, customer_ref }): Command => ({
      id,
      icon: "globe",
      title: hostname,
      hint: customer_ref ?? stateLabel(state),
      run: () => navigate({ to: "/$environment/domains/$id", params: { environment, id } }),
    }),
  );
  const pages = usePages(workspace).filter(({ title }) =>
    title.toLowerCase().includes(text.toLowerCase()),
  );
  return { commands: [...domains, ...pages], isLoading: isSearching && isFetching };
}

function usePages({ environment, may }: Workspace): readonly Command[] {
  const navigate = useNavigate();
  const other = environment === "live" ? "test" : "live";
  return [
    ...sections
      .filter(({ least }) => may(least))
      .map(
        ({ to, name, icon, key }): Command => ({
          id: to,
          icon,
          title: name,
          hint: `g ${key}`,
          run: () => navigate({ to, params: { environment } }),
        }),
      ),
    {
      id: "environment",
      icon: "refresh",
      title: `Switch to ${other}`,
      hint: "environment",
      run: () => navigate({ to: "/$environment", params: { environment: other } }),
    },
  ];
}
