import path from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { Session } from "../../../packages/cli/src/commands/session.ts";
import type { ReplayOptions } from "../../../packages/cli/src/deliver.ts";
import { replay } from "../../../packages/cli/src/replay.ts";
import { isFailed, junitXml, printSummary, type Result } from "../../../packages/cli/src/replay-report.ts";
import { processOutput } from "../../../packages/cli/src/terminal.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

afterEach(() => void vi.useRealTimers());

const DOWN = { outcome: "refused", error: "nothing is listening there (connection refused)", durationMs: 1 } as const;
const ANSWERED = { outcome: "answered", status: 500, body: Buffer.from(""), contentType: "", durationMs: 1 } as const;
const result = (...answers: Result["answers"]): Result => ({ id: "evt_1", type: "task.created", answers, differences: [] });

it("leaves nothing running after a failure, and reports what was answered before it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const posted: unknown[] = [];
  const event = { id: "evt_1", type: "task.created", headers: {}, raw: "{}", rawBase64: null };
  const api = { get: async () => event, post: async (_: string, body: unknown) => void posted.push(body) };
  const session = { output: { ...processOutput("quiet", true), item: () => {} }, api: () => api } as unknown as Session;
  // Nothing listens on port 1.
  const options: ReplayOptions = {
    to: ["http://127.0.0.1:1/"],
    junit: path.join(temporaryFolder(), "missing", "replay.xml"),
    rate: "100",
    concurrency: "1",
    timeout: "5s",
    limit: "10",
    report: true,
  };
  await expect(replay(session, ["evt_1"], {}, options)).rejects.toThrow(/replay\.xml can't be written/);
  expect(vi.getTimerCount()).toBe(0);
  expect(posted).toMatchObject([{ deliveries: [{ eventId: "evt_1", error: DOWN.error }] }]);
});

it("fails for two targets that are both down, and says why", () => {
  const noted: string[] = [];
  const output = { ...processOutput("pretty", true), note: (text: string) => void noted.push(text) };
  const differing = { ...result(ANSWERED, DOWN), differences: [{ path: "status", first: "500", second: DOWN.error }] };
  const results = [result(DOWN, DOWN), differing, result(ANSWERED, ANSWERED)];
  expect(results.map(isFailed)).toEqual([true, true, false]);
  expect(printSummary(output, results, [{ shown: "one" }, { shown: "two" }], 1)).toBe(2);
  expect(noted[0]).toBe("3 events in 1.0 s: 1 differ, 1 got no response from either.");
  const xml = junitXml(results, ["one", "two"], 1);
  expect(xml.match(/<failure [^>]*>/g)).toEqual([
    `<failure type="answer" message="no answer: ${DOWN.error}">`,
    `<failure type="difference" message="status: 500 | ${DOWN.error}">`,
  ]);
});
