import { runPlaywright } from "./testing/run-playwright.ts";
import { BUILD, runStages } from "./testing/run-stages.ts";
import { runVitest } from "./testing/run-vitest.ts";

// `npm run test:load`: the tests that measure a pace, a size or a time, one after the other (docs/decisions/0070), and every browser
// test with all values, looks and requests of which `npm test` takes a sample (docs/decisions/0071).

await runStages([
  { name: "load tests", work: (tools) => runVitest(["--project=load", "--maxWorkers=1"], tools) },
  BUILD,
  { name: "browser tests with all values", work: (tools) => runPlaywright(tools, [], { TEST_LOAD: "on" }) },
]);
