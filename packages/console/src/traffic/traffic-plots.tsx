import type { TrafficNumbers, TrafficPoint } from "@mooring/sdk";
import { useMemo } from "react";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { Note } from "../ui/status.tsx";
import { bytesText, countText, millisecondsText } from "./amounts.ts";
import { type Bar, type PartTone, Plot, timeText } from "./plot.tsx";

/** What both answers about traffic have. */
interface Series {
  readonly enabled: boolean;
  readonly step: "hour" | "day";
  readonly complete: boolean;
  readonly totals: TrafficNumbers | null;
  readonly points: readonly TrafficPoint[];
}

type Parts = readonly (readonly [PartTone, number])[];

/** Requests, errors, times and bytes, and all of them as a table. */
export function TrafficPlots({ series }: { readonly series: Series }) {
  const { totals, step, points, enabled } = series;
  if (!enabled) return <Note>The operator has turned the counting of requests off.</Note>;
  if (totals === null) {
    return <Note>No edge has reported for this time, so nothing is known. That is not zero.</Note>;
  }
  const bars = (
    parts: (numbers: TrafficNumbers) => Parts,
    text: (numbers: TrafficNumbers) => string,
  ) => points.map((point) => makeBar(point, step, parts, text));
  return (
    <>
      <div className="traffic-plots">
        <Plot
          title="Requests"
          total={countText(totals.requests)}
          step={step}
          scale={countText}
          bars={bars(
            ({ requests }) => [["info", requests]],
            ({ requests }) => `${countText(requests)} requests`,
          )}
        />
        <Plot
          title="Errors"
          total={`${countText(totals.by_status["5xx"])} × 5xx, ${countText(totals.by_status["4xx"])} × 4xx`}
          step={step}
          scale={countText}
          bars={bars(
            ({ by_status }) => [
              ["bad", by_status["5xx"]],
              ["wait", by_status["4xx"]],
            ],
            ({ by_status }) => `${by_status["5xx"]} of class 5xx, ${by_status["4xx"]} of 4xx`,
          )}
        />
        <Plot
          title="Origin, p95"
          total={`${millisecondsText(totals.origin_p95_ms)}, p50 ${millisecondsText(totals.origin_p50_ms)}`}
          step={step}
          scale={millisecondsText}
          bars={bars(
            ({ origin_p95_ms }) => [["accent", origin_p95_ms ?? 0]],
            ({ origin_p95_ms }) => `p95 ${millisecondsText(origin_p95_ms)}`,
          )}
        />
        <Plot
          title="Bytes out"
          total={`${bytesText(totals.bytes_out)}, ${bytesText(totals.bytes_in)} in`}
          step={step}
          scale={bytesText}
          bars={bars(
            ({ bytes_out }) => [["info", bytes_out]],
            ({ bytes_out }) => bytesText(bytes_out),
          )}
        />
      </div>
      {series.complete ? null : (
        <p className="muted traffic-key">
          Pale bars are not complete yet, or an edge has not reported all of it: at least this much.
          Hatched: nothing is known.
        </p>
      )}
      <TrafficTable points={points} step={step} />
    </>
  );
}

function makeBar(
  { at, numbers, complete }: TrafficPoint,
  step: "hour" | "day",
  parts: (numbers: TrafficNumbers) => Parts,
  text: (numbers: TrafficNumbers) => string,
): Bar {
  const time = timeText(at, step);
  if (numbers === null) return { at, parts: null, isComplete: false, text: `${time}: not known` };
  const amount = text(numbers);
  // Not "at least": a percentile of a part may be above that of the whole.
  const said = complete ? amount : `${amount}, not complete`;
  return { at, parts: parts(numbers), isComplete: complete, text: `${time}: ${said}` };
}

/** The same for those who do not see the plots, or copy numbers. */
function TrafficTable({
  points,
  step,
}: {
  readonly points: readonly TrafficPoint[];
  readonly step: "hour" | "day";
}) {
  const columns = useMemo(() => pointColumns(step), [step]);
  return (
    <details className="traffic-table">
      <summary>As a table</summary>
      <DataTable
        label="Traffic as a table"
        rows={points.toReversed()}
        columns={columns}
        rowId={({ at }) => at}
        hasKeys={false}
      />
    </details>
  );
}

function pointColumns(step: "hour" | "day"): readonly Column<TrafficPoint>[] {
  const number = (
    id: string,
    header: string,
    text: (numbers: TrafficNumbers) => string,
  ): Column<TrafficPoint> => ({
    id,
    header,
    isNumber: true,
    cell: ({ numbers }) => (numbers === null ? "–" : text(numbers)),
  });
  return [
    {
      id: "at",
      header: step === "hour" ? "Hour" : "Day (UTC)",
      isTitle: true,
      cell: ({ at }) => timeText(at, step),
    },
    number("requests", "Requests", ({ requests }) => countText(requests)),
    number("4xx", "4xx", ({ by_status }) => countText(by_status["4xx"])),
    number("5xx", "5xx", ({ by_status }) => countText(by_status["5xx"])),
    number("refused", "Refused", ({ refused }) => countText(refused)),
    number("p95", "p95", ({ origin_p95_ms }) => millisecondsText(origin_p95_ms)),
    number("out", "Out", ({ bytes_out }) => bytesText(bytes_out)),
    { id: "known", header: "Known", cell: knownText },
  ];
}

function knownText({ complete, numbers, coverage }: TrafficPoint): string {
  if (complete) return "all";
  if (numbers === null) return "nothing";
  return coverage === null || coverage === 1 ? "so far" : `${Math.floor(coverage * 1_000) / 10} %`;
}
