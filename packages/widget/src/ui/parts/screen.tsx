import type { Child } from "../../jsx/jsx-runtime.ts";

/** Every screen: a heading that takes the focus, what there is to see, and what can be done. */
export function Screen({
  title,
  lede,
  art,
  children,
  actions,
}: {
  readonly title: string;
  readonly lede?: Child;
  /** A picture above, for screens that are an end. */
  readonly art?: Child;
  readonly children?: Child;
  readonly actions?: Child;
}) {
  return (
    <>
      <div class={art === undefined ? "content" : "content is-end"}>
        {art}
        <h2 class="title" id="svc-title" tabIndex={-1} data-testid="svc-title">
          {title}
        </h2>
        {lede !== undefined && <p class="lede">{lede}</p>}
        {children}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </>
  );
}
