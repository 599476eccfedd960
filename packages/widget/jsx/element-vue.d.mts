import type { HTMLAttributes } from "vue";
import type { SvcConnectAttributes, SvcConnectElement, SvcConnectProperties } from "./element.mjs";

export {
  type SvcConnectAttributes,
  SvcConnectElement,
  type SvcConnectProperties,
} from "./element.mjs";

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** Vue's checker compares attributes by these names; templates have them as in HTML. */
type CamelCased = {
  readonly [Name in keyof SvcConnectAttributes as CamelCase<Name>]: SvcConnectAttributes[Name];
};

declare module "vue" {
  interface GlobalComponents {
    "svc-connect": new () => SvcConnectElement & {
      $props: HTMLAttributes & CamelCased & SvcConnectProperties;
    };
  }
}
