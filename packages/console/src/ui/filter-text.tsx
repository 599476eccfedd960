import { useTypedText } from "./typed-text.ts";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Filters when the person leaves it or presses Enter. */
export function FilterText({ label, value, onChange }: Props) {
  const { typed, setTyped, send } = useTypedText(value, onChange);
  const apply = () => send(typed.trim());
  return (
    <input
      className="input filter-text"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => (event.key === "Enter" ? apply() : undefined)}
    />
  );
}
