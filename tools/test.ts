import { availableParallelism } from "node:os";
import { measureSlowness } from "#tests/support/yardstick";
import { runChecks } from "./check.ts";
import { runPlaywright } from "./testing/run-playwright.ts";
import { BUILD, runStages, type Stage, type StageTools } from "./testing/run-stages.ts";
import { runVitest } from "./testing/run-vitest.ts";

// `npm test`, the quick suite: every check, and each promise of behaviour once. The rest is `npm run test:deep`.

/** One worker less than alone: while one waits, the browser tests have its processor. */
const QUICK = ["--project=unit", "--project=integration", "--tags-filter=!deep", `--maxWorkers=${availableParallelism()}`];

const built = Promise.withResolvers<void>();
const build = { ...BUILD, work: (tools: StageTools) => BUILD.work(tools).finally(built.resolve) };
const browser: Stage = {
  name: "browser tests",
  work: async (tools) => {
    await built.promise;
    return runPlaywright(tools);
  },
};

// Each waits a third of its time, for a lock, a limit, an event, a page: side by side they use the processors while the others wait. The
// build and the browser tests behind it take longest: the others give way to them.
const tests: Stage = { name: "unit and integration tests", work: (tools) => runVitest(QUICK, tools, true) };
await runStages([[{ name: "checks", work: () => runChecks(built.promise) }, build, tests, browser]], measureSlowness());
