import { runChecks } from "./check.ts";
import { runPlaywright } from "./testing/run-playwright.ts";
import { BUILD, runStages } from "./testing/run-stages.ts";
import { runVitest } from "./testing/run-vitest.ts";

// `npm test`: every check, and every test of behaviour. Paces are measured by `npm run test:load`.

await runStages([
  { name: "checks", work: runChecks },
  BUILD,
  // Each waits a third of its time: for a lock, a limit, an event, a page. Side by side they use the processors while the other waits.
  [
    { name: "unit and integration tests", work: (tools) => runVitest(["--project=unit", "--project=integration"], tools) },
    { name: "browser tests", work: runPlaywright },
  ],
]);
