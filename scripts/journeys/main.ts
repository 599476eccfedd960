import { launchChromium } from "@mooring/testing/browser/chromium";
import {
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
} from "@mooring/testing/local/local-product";
import { customerWalk } from "../../test/journeys/walks/customer.ts";
import { developerWalk } from "../../test/journeys/walks/developer.ts";
import { supportWalk } from "../../test/journeys/walks/support.ts";
import type { Instance, PersonWalk } from "../../test/journeys/walks/walk.ts";

/** The walks by people through one running instance; `npm run journeys` runs it. */
const walks: readonly PersonWalk[] = [customerWalk, supportWalk, developerWalk];

async function main([part = ""]: readonly string[]): Promise<void> {
  const dataDir = await makeDataDir();
  const product = startProduct({ dataDir, env: await productPorts() });
  const browser = await launchChromium();
  try {
    await product.waitFor(/^ {2}curl .*--retry .*$/m);
    const instance = readInstance(product.output(), browser);
    for (const one of walks.filter(({ who }) => who.includes(part))) await walk(one, instance);
  } finally {
    await browser.close();
    product.child.kill("SIGTERM");
    await product.ended;
    await removeDataDir(dataDir);
  }
}

function readInstance(output: string, browser: Instance["browser"]): Instance {
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(output)?.[1];
    if (found === undefined) throw new Error(`the start has not printed ${pattern}:\n${output}`);
    return found;
  };
  return {
    browser,
    base: find(/MOORING_URL='?([^\s']+)/),
    key: find(/MOORING_API_KEY='?([^\s']+)/),
    applicationId: find(/MOORING_APP='?([^\s']+)/),
    consoleLink: find(/^ {2}Console\s+(\S+)/m),
    exports: find(/^ {2}(export .*)$/m),
    quickStart: output.match(/^ {2}(ZONE=|TARGET=|curl ).*$/gm) ?? [],
    label: String(Date.now()),
  };
}

async function walk({ who, walk }: PersonWalk, instance: Instance): Promise<void> {
  let last = "";
  console.log(`${who}:`);
  try {
    await walk(instance, (name) => {
      last = name;
      console.log(`  ${name}`);
    });
    console.log("  the end");
  } catch (error) {
    console.error(`${who} stopped: ${last}`, error);
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));
