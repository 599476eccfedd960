import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./chart.css";

export interface Series {
  readonly label: string;
  /** A custom property of the style sheet, such as `--good`. */
  readonly color: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** Unix times in seconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly unit?: string;
}

const height = 180;

/** Lines over time, drawn by uPlot; it sizes with its container and follows the colour scheme. */
export function Chart({ label, times, series, unit = "" }: Props) {
  const containerRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = containerRef.current;
    if (element === null) return;
    const draw = () => drawChart(element, times, series, unit);
    let plot = draw();
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    const sizes = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(120, element.clientWidth), height }),
    );
    sizes.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", redraw);
    return () => {
      sizes.disconnect();
      scheme.removeEventListener("change", redraw);
      plot.destroy();
    };
  }, [times, series, unit]);
  return <div ref={containerRef} className="plot" role="img" aria-label={label} />;
}

function drawChart(
  element: HTMLElement,
  times: readonly number[],
  series: readonly Series[],
  unit: string,
): uPlot {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
    font: `12px ${color("--sans")}`,
  };
  return new uPlot(
    {
      width: Math.max(120, element.clientWidth),
      height,
      cursor: { y: false },
      series: [
        { label: "At" },
        ...series.map((one) => ({
          label: one.label,
          stroke: color(one.color),
          width: 2,
          points: { show: times.length < 3 },
          value: (_plot: uPlot, value: number | null) => (value === null ? "–" : `${value}${unit}`),
        })),
      ],
      axes: [
        axis,
        {
          ...axis,
          size: 48,
          values: (_plot: uPlot, ticks: number[]) => ticks.map((tick) => `${tick}${unit}`),
        },
      ],
      scales: {
        y: { range: (_plot, _least, most) => [0, unit === " %" ? 100 : Math.max(1, most * 1.1)] },
      },
    },
    [[...times], ...series.map(({ values }) => [...values])],
    element,
  );
}
