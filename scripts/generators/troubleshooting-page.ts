import { statusOf } from "../../packages/control/src/api/error-reply.ts";
import { connectionErrors } from "../../packages/control/src/domain/connection.ts";
import { findingCodes } from "../../packages/control/src/domain/diagnosis/finding.ts";
import { errorCodes } from "../../packages/control/src/domain/errors.ts";
import { connectionWords, errorWords } from "./error-words.ts";
import { findingMends } from "./finding-words.ts";

const introduction = `# Troubleshooting

Three kinds of code say what is wrong. All are stable: branch on the code, and show people the sentence.
This page is written by \`npm run generate\` from the code's own lists.

1. A request failed: [\`error.code\`](#answers-of-the-api) of the answer.
2. A connection does not go on: its [\`error_code\`](#error-codes-of-a-connection).
3. Why, in detail: the [diagnosis](#findings-of-a-diagnosis), which asks DNS at that moment and says who
   must do what, with the real names and values in it.

\`\`\`sh
curl "$MOORING_URL/v1/connections/$ID/diagnosis" -H "Authorization: Bearer $MOORING_API_KEY"
\`\`\`

Domain Connect has [reasons of its own](domain-connect.md#when-it-cannot-be-started). The set-up of the
service itself is looked at by \`mooring doctor\`; what to do about an alert is in
[operations](operations.md#alerts).`;

/** Every code that a caller, a connection or a diagnosis can show, in the order of the code's lists. */
export function troubleshootingPage(): string {
  return [
    introduction,
    "",
    "## Answers of the API",
    "",
    'An error is `{ "error": { "code", "message", "details" } }`, with a status that fits.',
    "",
    "| Code | Status | Meaning | What to do |",
    "|---|---|---|---|",
    ...errorCodes.map((code) => {
      const { meaning, mend } = errorWords[code];
      return `| \`${code}\` | ${statusOf[code]} | ${meaning} | ${mend} |`;
    }),
    "",
    "## Error codes of a connection",
    "",
    "`error_code` is null while nothing is known to be wrong. It goes away by itself once the cause is gone.",
    "",
    "| Code | Meaning | What to do |",
    "|---|---|---|",
    ...connectionErrors.map((code) => {
      const { meaning, mend } = connectionWords[code];
      return `| \`${code}\` | ${meaning} | ${mend} |`;
    }),
    "",
    "## Findings of a diagnosis",
    "",
    "In the order in which a diagnosis gives them: what makes all that follows useless comes first.",
    "",
    "| Code | Meaning | What to do |",
    "|---|---|---|",
    ...findingCodes.map(
      ({ code, sentence }) => `| \`${code}\` | ${sentence} | ${findingMends[code]} |`,
    ),
    "",
  ].join("\n");
}
