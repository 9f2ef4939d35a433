import { runStages } from "./testing/run-stages.ts";
import { runVitest } from "./testing/run-vitest.ts";

// `npm run test:load`: the tests that measure a pace, a size or a time, one after the other (docs/decisions/0070).

await runStages([{ name: "load tests", work: (tools) => runVitest(["--project=load", "--maxWorkers=1"], tools) }]);
