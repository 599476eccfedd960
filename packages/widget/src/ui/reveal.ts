/**
 * Scrolls what is new on a screen into view. An element that appears as the answer to an action has
 * `data-reveal`; another value of it is another answer.
 */
export interface Reveal {
  readonly afterRender: (root: HTMLElement, isNewScreen: boolean) => void;
}

export function createReveal(prefersStill: () => boolean): Reveal {
  let known: ReadonlySet<string> = new Set();
  return {
    afterRender(root, isNewScreen) {
      const shown = [...root.querySelectorAll<HTMLElement>("[data-reveal]")];
      const fresh = shown.find(({ dataset }) => !known.has(dataset["reveal"] ?? ""));
      known = new Set(shown.map(({ dataset }) => dataset["reveal"] ?? ""));
      // A new screen starts at its heading.
      if (isNewScreen || fresh === undefined) return;
      fresh.scrollIntoView({ block: "nearest", behavior: prefersStill() ? "auto" : "smooth" });
    },
  };
}
