import { useState } from "react";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Filters when the person leaves it or presses Enter. */
export function FilterText({ label, value, onChange }: Props) {
  const [text, setText] = useState(value);
  const apply = () => (text.trim() === value ? undefined : onChange(text.trim()));
  return (
    <input
      className="input filter-text"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => (event.key === "Enter" ? apply() : undefined)}
    />
  );
}
