import { type ConnectionState, connectionStates } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { applicationsQuery, providersQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { searchedText } from "../app/pasted-url.ts";
import { Choice } from "../ui/choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, MenuCheckItem } from "../ui/menu.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import type { DomainSearch } from "./domain-search.ts";
import { actorLabel, stateLabel, words } from "./state-text.ts";
import "../styles/filters.css";

interface Props {
  readonly search: DomainSearch;
  readonly onChange: (search: DomainSearch) => void;
}

/** Each change is a new address, and begins at the first page. */
export function DomainFilters({ search, onChange }: Props) {
  const set = (name: keyof DomainSearch, value: DomainSearch[typeof name]) => {
    const { cursor: _page, [name]: _old, ...rest } = search;
    onChange(value === undefined ? rest : { ...rest, [name]: value });
  };
  return (
    <div className="filters">
      <SearchBox
        label="Search by domain or customer"
        text={search.q ?? ""}
        read={searchedText}
        onSearch={(q) => set("q", q === "" ? undefined : q)}
      />
      <StateFilter states={search.state ?? []} onChange={(state) => set("state", state)} />
      <ApplicationFilter value={search.application} onChange={(id) => set("application", id)} />
      <ProviderFilter value={search.provider} onChange={(slug) => set("provider", slug)} />
      <Choice
        label="Registration"
        value={search.ends ?? ""}
        options={[
          ["", "Any registration"],
          ["30", "Registration ends within 30 days"],
        ]}
        onChange={(ends) => set("ends", ends === "30" ? ends : undefined)}
      />
      <Choice
        label="Order"
        value={search.sort ?? ""}
        options={[
          ["", "Newest first"],
          ["stuck_since", "Longest in its state first"],
        ]}
        onChange={(sort) => set("sort", sort === "stuck_since" ? sort : undefined)}
      />
      <Chips search={search} onRemove={(name) => set(name, undefined)} />
    </div>
  );
}

interface StateProps {
  readonly states: readonly ConnectionState[];
  readonly onChange: (states: readonly ConnectionState[] | undefined) => void;
}

function StateFilter({ states, onChange }: StateProps) {
  const toggle = (state: ConnectionState, isChosen: boolean) => {
    const next = connectionStates.filter((one) =>
      one === state ? isChosen : states.includes(one),
    );
    onChange(next.length > 0 ? next : undefined);
  };
  const [first] = states;
  const label =
    first === undefined
      ? "Any state"
      : states.length === 1
        ? stateLabel(first)
        : `${states.length} states`;
  return (
    <Menu
      align="start"
      label={
        <>
          <Icon name="filter" /> {label} <Icon name="down" />
        </>
      }
    >
      {connectionStates.map((state) => (
        <MenuCheckItem
          key={state}
          isChecked={states.includes(state)}
          onChange={(isChosen) => toggle(state, isChosen)}
        >
          {stateLabel(state)}
        </MenuCheckItem>
      ))}
    </Menu>
  );
}

interface ValueProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function ApplicationFilter({ value, onChange }: ValueProps) {
  const { data = [] } = useQuery(applicationsQuery(useWorkspace()));
  if (data.length < 2 && value === undefined) return null;
  return (
    <Choice
      label="Application"
      value={value ?? ""}
      options={[["", "Any application"], ...data.map(({ id, name }) => [id, name] as const)]}
      onChange={(id) => onChange(id === "" ? undefined : id)}
    />
  );
}

function ProviderFilter({ value, onChange }: ValueProps) {
  const { data = [] } = useQuery(providersQuery(useWorkspace()));
  return (
    <Choice
      label="DNS provider"
      value={value ?? ""}
      options={[["", "Any provider"], ...data.map(({ slug, name }) => [slug, name] as const)]}
      onChange={(slug) => onChange(slug === "" ? undefined : slug)}
    />
  );
}

interface ChipsProps {
  readonly search: DomainSearch;
  readonly onRemove: (name: keyof DomainSearch) => void;
}

/** The filters that have no control of their own: they come with a link. */
function Chips({ search, onRemove }: ChipsProps) {
  const chips = [
    ["error", search.error === undefined ? null : words(search.error)],
    ["actor", search.actor?.map(actorLabel).join(" or ") ?? null],
    ["stuck", search.stuck === undefined ? null : "Stuck"],
    ["customer", search.customer ?? null],
    ["wildcard", search.wildcard === "true" ? "Wildcards only" : null],
    ["dangling", search.dangling === undefined ? null : "Left behind"],
  ] as const;
  return chips.map(([name, text]) =>
    text === null ? null : (
      <button
        key={name}
        type="button"
        className="button small"
        aria-label={`Remove the filter ${text}`}
        onClick={() => onRemove(name)}
      >
        <span className="breakable">{text}</span> <Icon name="cross" />
      </button>
    ),
  );
}
