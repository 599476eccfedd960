import type { JSX as Dom } from "preact";

/**
 * What JSX compiles to. Components are plain functions without state of their own: the machine has
 * all of it, so that a renderer of a few dozen lines (`render.ts`) is enough.
 */
export interface VNode {
  readonly type: string | Component;
  readonly props: Props;
  readonly key: string | number | undefined;
}

export type Child = VNode | string | number | boolean | null | undefined | readonly Child[];

export type Props = Readonly<Record<string, unknown>> & { readonly children?: Child };

type Component = (props: Props) => Child;

export function jsx(type: VNode["type"], props: Props, key?: string | number): VNode {
  return { type, props, key };
}

/** The same with several children. */
export function jsxs(type: VNode["type"], props: Props, key?: string | number): VNode {
  return jsx(type, props, key);
}

export function Fragment({ children }: { readonly children?: Child }): Child {
  return children;
}

export declare namespace JSX {
  type Element = VNode;
  type ElementType = keyof IntrinsicElements | ((props: never) => Child);
  interface ElementChildrenAttribute {
    readonly children: unknown;
  }
  interface IntrinsicAttributes {
    readonly key?: string | number;
  }
  interface IntrinsicElements extends Dom.IntrinsicElements {}
}
