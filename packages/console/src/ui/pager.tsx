import { useState } from "react";

interface Props {
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
  readonly onChange: (cursor: string | undefined) => void;
  /** Of this page; undefined while it loads. */
  readonly count: number | undefined;
  readonly noun: string;
}

/**
 * Pages by cursor: next, and back through those seen here. A page that was opened by its URL goes
 * back to the first one.
 */
export function Pager({ cursor, nextCursor, onChange, count, noun }: Props) {
  const [trail, setTrail] = useState<readonly (string | undefined)[]>([]);
  if (cursor === undefined && nextCursor === null) return null;
  const goBack = () => {
    onChange(trail.at(-1));
    setTrail(trail.slice(0, -1));
  };
  const goForward = () => {
    setTrail([...trail, cursor]);
    onChange(nextCursor ?? undefined);
  };
  return (
    <nav className="pager" aria-label="Pages">
      <span>{count === undefined ? "" : `${count} ${noun} on this page`}</span>
      <span className="row">
        <button
          type="button"
          className="button small"
          disabled={cursor === undefined}
          onClick={goBack}
        >
          Previous
        </button>
        <button
          type="button"
          className="button small"
          disabled={nextCursor === null}
          onClick={goForward}
        >
          Next
        </button>
      </span>
    </nav>
  );
}
