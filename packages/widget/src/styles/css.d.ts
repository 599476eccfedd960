/** The build minifies a style sheet and gives it as a text. */
declare module "*.css" {
  export const css: string;
}
