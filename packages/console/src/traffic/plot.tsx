import { useId } from "react";
import "./traffic.css";

/** One bar: its parts from the bottom up; null where nothing is known. */
export interface Bar {
  readonly at: string;
  readonly parts: readonly (readonly [tone: PartTone, amount: number])[] | null;
  /** Whether all is counted; otherwise it is at least as high as drawn. */
  readonly isComplete: boolean;
  /** What a person reads about it. */
  readonly text: string;
}

export type PartTone = "info" | "wait" | "bad" | "accent";

interface Props {
  readonly title: string;
  /** The sum or the like, beside the title. */
  readonly total: string;
  readonly bars: readonly Bar[];
  readonly scale: (most: number) => string;
  readonly step: "hour" | "day";
}

const height = 100;
const pitch = 10;
const gap = 1;

/**
 * Bars over time as plain SVG. What is not known is hatched from top to bottom, what is not whole
 * is pale: neither can be taken for zero.
 */
export function Plot({ title, total, bars, scale, step }: Props) {
  const hatch = useId();
  const most = Math.max(1, ...bars.map(sumOf));
  const width = bars.length * pitch;
  const unknown = bars.filter(({ parts }) => parts === null).length;
  const partial = bars.filter(({ parts, isComplete }) => parts !== null && !isComplete).length;
  const label = `${title} by ${step}: ${total}. ${unknownText(unknown, partial, step)}`;
  return (
    <div className="traffic-plot">
      <p className="caption spread">
        <strong>{title}</strong>
        <span>{total}</span>
      </p>
      <div className="drawing">
        <span className="most muted" aria-hidden="true">
          {scale(most)}
        </span>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          <defs>
            <pattern
              id={hatch}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect className="hatch" width="2" height="6" />
            </pattern>
          </defs>
          {bars.map((bar, index) => (
            <BarShape
              key={bar.at}
              bar={bar}
              x={index * pitch}
              most={most}
              hatch={`url(#${hatch})`}
            />
          ))}
        </svg>
      </div>
      <p className="spread muted axis" aria-hidden="true">
        <span>{timeText(bars[0]?.at, step)}</span>
        <span>{timeText(bars.at(-1)?.at, step)}</span>
      </p>
    </div>
  );
}

function BarShape({
  bar,
  x,
  most,
  hatch,
}: {
  readonly bar: Bar;
  readonly x: number;
  readonly most: number;
  readonly hatch: string;
}) {
  const across = { x: x + gap / 2, width: pitch - gap };
  if (bar.parts === null) {
    return (
      <rect {...across} y={0} height={height} fill={hatch}>
        <title>{bar.text}</title>
      </rect>
    );
  }
  let top = height;
  return (
    <g className={bar.isComplete ? undefined : "partial"}>
      <title>{bar.text}</title>
      {/* So that an empty hour can be pointed at, too. */}
      <rect {...across} y={0} height={height} className="empty" />
      {bar.parts.map(([tone, amount]) => {
        const tall = amount === 0 ? 0 : Math.max(1.5, (amount / most) * height);
        top -= tall;
        return <rect key={tone} {...across} y={top} height={tall} className={tone} />;
      })}
    </g>
  );
}

function sumOf({ parts }: Bar): number {
  return parts?.reduce((sum, [, amount]) => sum + amount, 0) ?? 0;
}

function unknownText(unknown: number, partial: number, step: string): string {
  if (unknown === 0 && partial === 0) return "All is known.";
  const texts = [
    unknown === 0 ? "" : `Nothing is known of ${amountOf(unknown, step)}.`,
    partial === 0 ? "" : `${amountOf(partial, step)} ${partial === 1 ? "is" : "are"} not complete.`,
  ];
  return texts.filter((text) => text !== "").join(" ");
}

function amountOf(count: number, step: string): string {
  return count === 1 ? `1 ${step}` : `${count} ${step}s`;
}

export function timeText(at: string | undefined, step: "hour" | "day"): string {
  if (at === undefined) return "";
  const date = new Date(at);
  return step === "day"
    ? date.toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" })
    : date.toLocaleString(undefined, {
        month: "short",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit",
      });
}
