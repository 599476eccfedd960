import { after, before, describe } from "node:test";
import { testJourney } from "@mooring/testing/clients/example-journey";
import { type ExampleWorld, startExampleWorld } from "@mooring/testing/clients/example-world";

/** The examples of "Integrate in ten minutes" in front of the product; the soak runs the others. */
describe("the examples in Node and Python", () => {
  let world: ExampleWorld;
  before(async () => {
    world = await startExampleWorld();
  });
  after(() => world.close());

  testJourney("Hono", { folder: "hono", command: [process.execPath, "server.ts"] }, () => world);
  testJourney(
    "Express",
    { folder: "express", command: [process.execPath, "server.ts"] },
    () => world,
  );
  testJourney(
    "Django",
    {
      folder: "django",
      command: ["/usr/bin/python3", "app.py", "runserver", "--noreload", "127.0.0.1:$PORT"],
    },
    () => world,
  );
});
