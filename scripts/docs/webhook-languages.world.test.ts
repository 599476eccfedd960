import { describe } from "node:test";
import { testLanguages } from "@mooring/testing/clients/documented-verification";

describe("the documented verification in Python, Ruby and PHP", () => {
  testLanguages({
    Python: {
      fence: "python",
      file: "webhook.py",
      ending: [
        "import sys",
        "secret, *words = sys.argv[1:]",
        "headers = dict(zip(words[::2], words[1::2]))",
        'print(verify_webhook(sys.stdin.buffer.read(), headers, secret)["type"])',
      ].join("\n"),
      program: ["/usr/bin/python3", "webhook.py"],
    },
    Ruby: {
      fence: "ruby",
      file: "webhook.rb",
      ending: [
        "secret, *words = ARGV",
        'puts verify_webhook($stdin.binmode.read, words.each_slice(2).to_h, secret)["type"]',
      ].join("\n"),
      program: ["/usr/bin/ruby", "webhook.rb"],
    },
    PHP: {
      fence: "php",
      file: "webhook.php",
      ending: [
        "$headers = [];",
        "foreach (array_chunk(array_slice($argv, 2), 2) as [$name, $value]) $headers[$name] = $value;",
        'echo verify_webhook(file_get_contents("php://stdin"), $headers, $argv[1])["type"];',
      ].join("\n"),
      program: ["/usr/bin/php", "webhook.php"],
    },
  });
});
