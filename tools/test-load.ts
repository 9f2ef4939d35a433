import { runPlaywright } from "./testing/run-playwright.ts";
import { BUILD, runStages } from "./testing/run-stages.ts";
import { runVitest } from "./testing/run-vitest.ts";

// `npm run test:load`: the tests that measure a pace, a size or a time, one after the other (docs/decisions/0070), and all values of
// the matrices of which the browser tests take a sample (docs/decisions/0071).

const BROWSER_FILES = ["20-every-page", "48-incidents", "95-hardening"];

await runStages([
  { name: "load tests", work: (tools) => runVitest(["--project=load", "--maxWorkers=1"], tools) },
  BUILD,
  { name: "browser tests with all values", work: (tools) => runPlaywright(tools, BROWSER_FILES, { TEST_LOAD: "on" }) },
]);
