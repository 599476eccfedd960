import { describe } from "node:test";
import { testLanguages } from "@mooring/testing/clients/documented-verification";

/** Its compiler is too large for every run; see webhook-languages.world.test.ts for the others. */
describe("the documented verification in Go", () => {
  testLanguages({
    Go: {
      fence: "go",
      file: "webhook.go",
      ending: [
        "func main() {",
        "\tbody, _ := io.ReadAll(os.Stdin)",
        "\theaders := http.Header{}",
        "\tfor i := 2; i+1 < len(os.Args); i += 2 {",
        "\t\theaders.Set(os.Args[i], os.Args[i+1])",
        "\t}",
        "\tevent, err := VerifyWebhook(body, headers, os.Args[1])",
        "\tif err != nil {",
        "\t\tfmt.Fprintln(os.Stderr, err)",
        "\t\tos.Exit(1)",
        "\t}",
        "\tfmt.Print(event.Type)",
        "}",
      ].join("\n"),
      program: ["./webhook"],
      prepare: ["/usr/lib/go-1.19/bin/go", "build", "-o", "webhook", "webhook.go"],
    },
  });
});
