import { type EventType, eventTypes } from "@mooring/sdk";

interface Props {
  /** `*` alone stands for all, also those that are added later. */
  readonly value: readonly (EventType | "*")[];
  readonly onChange: (value: readonly (EventType | "*")[]) => void;
}

export function EventChoice({ value, onChange }: Props) {
  const isAll = value.includes("*");
  const toggle = (type: EventType) => {
    const next = eventTypes.filter((one) =>
      one === type ? !value.includes(one) : value.includes(one),
    );
    onChange(next);
  };
  return (
    <fieldset className="event-choice">
      <legend>Events</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => onChange(isAll ? ["domain.flow.completed", "domain.drift"] : ["*"])}
        />
        <span>All, also kinds that are added later</span>
      </label>
      {isAll
        ? null
        : eventTypes.map((type) => (
            <label key={type} className="check">
              <input type="checkbox" checked={value.includes(type)} onChange={() => toggle(type)} />
              <code>{type}</code>
            </label>
          ))}
    </fieldset>
  );
}
