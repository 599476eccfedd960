import { type ReactNode, useEffect, useRef } from "react";

interface Props {
  readonly label: string;
  /** Changes when another one is the current one. */
  readonly current: string | undefined;
  readonly children: ReactNode;
}

/** Links in a row that scrolls where it is wider than the screen; the current one is in sight. */
export function Tabs({ label, current, children }: Props) {
  const rowRef = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is the current one
  useEffect(() => {
    const row = rowRef.current;
    if (row === null) return;
    const sizes = new ResizeObserver(() => showCurrent(row));
    sizes.observe(row);
    return () => sizes.disconnect();
  }, [current]);
  return (
    <nav ref={rowRef} className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}

/** Without `scrollIntoView`, which may also scroll the page. */
function showCurrent(row: HTMLElement): void {
  const shown = row.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (shown === undefined) return;
  const { left, right } = row.getBoundingClientRect();
  if (shown.right > right) row.scrollLeft += shown.right - right;
  if (shown.left < left) row.scrollLeft -= left - shown.left;
}
