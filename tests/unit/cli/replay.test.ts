import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../packages/cli/src/commands/session.ts";
import type { ReplayOptions, Sent } from "../../../packages/cli/src/deliver.ts";
import { replay } from "../../../packages/cli/src/replay.ts";
import { compareAnswers, ignoredPaths, isFailed, junitXml, printSummary, type Result } from "../../../packages/cli/src/replay-report.ts";
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

const answered = (body: unknown, status = 200): Sent => ({
  outcome: "answered",
  status,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  contentType: "application/json",
  durationMs: 1,
});

const differ = (first: unknown, second: unknown, ...ignored: string[]) =>
  compareAnswers(answered(first), answered(second), ignoredPaths(ignored)).map(({ path }) => path);

describe("two answers", () => {
  it("are the same whatever the order of their fields and their white space", () => {
    expect(differ({ a: 1, b: [1, { c: 2 }] }, '{ "b": [1, {"c": 2}], "a": 1 }')).toEqual([]);
  });

  it("differ where a value, a field or an element does", () => {
    expect(differ({ a: 1, b: 2, items: [{ at: 1 }, { at: 2 }] }, { a: 1, c: 2, items: [{ at: 1 }, { at: 3 }, 4] })).toEqual([
      "$.b",
      "$.items[1].at",
      "$.items[2]",
      "$.c",
    ]);
    expect(differ("plain", "text")).toEqual(["body"]);
    expect(differ({ a: [] }, { a: {} })).toEqual(["$.a"]);
  });

  it("may differ at ignored paths, and nowhere else", () => {
    const [one, two] = [
      { id: 1, items: [{ at: 1, n: 1 }] },
      { id: 2, items: [{ at: 2, n: 2 }] },
    ];
    expect(differ(one, two, "$.id", "items[*].at")).toEqual(["$.items[0].n"]);
    expect(differ(one, two, '$["id"]', "$.items[0].at", "$.items[*].n")).toEqual([]);
    expect(() => ignoredPaths(["$"])).toThrow(/is not a path/);
    expect(() => ignoredPaths(["a[b"])).toThrow(/is not a path/);
  });

  it("differ in status, whatever the bodies say", () => {
    expect(compareAnswers(answered({}, 200), answered({}, 500), [])).toEqual([{ path: "status", first: "200", second: "500" }]);
    const broken: Sent = { outcome: "broken", error: "the connection was closed", durationMs: 1 };
    expect(compareAnswers(answered({}), broken, [])).toEqual([{ path: "status", first: "200", second: "the connection was closed" }]);
    expect(compareAnswers(broken, broken, [])).toEqual([]);
  });
});
