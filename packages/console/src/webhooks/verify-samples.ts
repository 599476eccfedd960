import guide from "../../../../docs/webhooks.md?raw";
import readme from "../../../sdk/README.md?raw";

/** The samples are those of the guide and of the SDK, whose tests run them. */
export interface Sample {
  readonly language: string;
  readonly code: string;
}

export const samples: readonly Sample[] = [
  ...samplesIn(readme, "###", (title) => `Node.js with ${title}`),
  ...samplesIn(guide, "####", (title) => title),
];

/**
 * Each heading of a level that is followed by code which verifies a webhook; a remark may stand
 * between them.
 */
function samplesIn(
  text: string,
  level: string,
  name: (title: string) => string,
): readonly Sample[] {
  const pattern = new RegExp(
    `^${level} (.+)\\n+(?:<!--.*-->\\n+)?\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``,
    "gm",
  );
  return [...text.matchAll(pattern)]
    .map(([, title = "", code = ""]) => ({ language: name(title), code: code.trim() }))
    .filter(({ code }) => /verify_?webhook/i.test(code));
}
