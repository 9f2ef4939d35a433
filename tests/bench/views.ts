import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { readBoard, readThroughput } from "#lib/flows/views/read-board";
import { listViewPage } from "#lib/flows/views/read-views";
import { BIG_PIPELINE, fillBoard } from "#tests/support/large-board";
import { makeWorkspace } from "#tests/support/webhooks";
import { percentile, say, timings } from "./harness.ts";

const RUNS = 100;
const PAGE = 50;

/** Measures what the pages of views ask at so many tasks of one pipeline, and what a round of the watch for what never came costs. */
export async function benchViews(tasks: number): Promise<void> {
  const began = performance.now();
  const { workspaceId } = await makeWorkspace();
  await fillBoard(workspaceId, tasks);
  say(`views at ${tasks.toLocaleString("en")} tasks of one pipeline (filled in ${((performance.now() - began) / 1000).toFixed(0)} s)`);
  const list = (filter: Record<string, unknown>) => () => listViewPage(workspaceId, "task", { limit: PAGE, ...filter });
  const deep = await cursorOfPage(100, (cursor) => listViewPage(workspaceId, "task", { limit: 200, ...(cursor ? { cursor } : {}) }));
  const asked: Record<string, () => Promise<unknown>> = {
    "board, first page": () => readBoard(workspaceId, BIG_PIPELINE),
    "tasks, first page": list({}),
    "tasks, after 20,000": list({ cursor: deep }),
    "tasks in a state": list({ state: "assigned" }),
    "tasks of a pipeline's stage": list({ parent: BIG_PIPELINE, stage: "Review", active: true }),
    "tasks of an assignee": list({ assignee: "Person 7" }),
    "tasks by a word of the name": list({ q: "invoice 1000" }),
    "tasks, nothing matches": list({ q: "nothing is called that" }),
    "pipelines with their counts": () => listViewPage(workspaceId, "pipeline", { limit: PAGE }),
    "throughput of a day": () => readThroughput(workspaceId, BIG_PIPELINE, new Date()),
  };
  for (const [name, ask] of Object.entries(asked)) {
    await timings(10, ask);
    const took = await timings(RUNS, ask);
    say(`  ${name.padEnd(28)} p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms`);
  }
  await benchWatch();
}

/** The first rounds look at everything once; the ones after it at nothing. */
async function benchWatch(): Promise<void> {
  const started = performance.now();
  let looked = 0;
  for (let round = await detectMissingEvents(); round > 0; round = await detectMissingEvents()) looked += round;
  const seconds = (performance.now() - started) / 1000;
  say(`  watch, catching up          ${looked.toLocaleString("en")} views at ${(looked / seconds).toFixed(0)}/s`);
  const idle = await timings(RUNS, () => detectMissingEvents());
  say(`  watch, nothing new          p50 ${percentile(idle, 0.5).toFixed(1)} ms, p95 ${percentile(idle, 0.95).toFixed(1)} ms a round`);
}

async function cursorOfPage(pages: number, read: (cursor: string | null) => Promise<{ nextCursor: string | null }>): Promise<string> {
  let cursor: string | null = null;
  for (let page = 0; page < pages; page += 1) ({ nextCursor: cursor } = await read(cursor));
  return cursor ?? "";
}
