import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { type ExportColumns, eventStream, exportResponse, exportText, textStream } from "#lib/http/streamed-answer";

type Person = { name: string; age: number };

const COLUMNS: ExportColumns<Person> = {
  json: (person) => person,
  csv: [
    ["name", ({ name }) => name],
    ["age", ({ age }) => age],
  ],
};

async function* parts(...all: Person[][]) {
  yield* all;
}

async function* failing(...before: Person[][]): AsyncGenerator<Person[]> {
  yield* before;
  throw new Error("the database went away");
}

const textOf = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join("");
const csvOf = (...names: string[]) => textOf(exportText("csv", COLUMNS, parts(names.map((name) => ({ name, age: 1 })))));

describe("an exported file", () => {
  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])("marks %j, which a spreadsheet would take for a formula", async (name) => {
    expect(await csvOf(name)).toContain(`'${name}`);
  });

  it.each([
    ["\uff1d1+1", "'\uff1d1+1"],
    ["\uff0b1", "'\uff0b1"],
    ["\uff0d1", "'\uff0d1"],
    ["\uff20SUM(A1)", "'\uff20SUM(A1)"],
    [" =1+1", "' =1+1"],
    ["task.created;=1+1", '"task.created;\'=1+1"'],
    ["a; \uff1d1+1", '"a;\' \uff1d1+1"'],
    ["a\t@SUM(A1)", '"a\t\'@SUM(A1)"'],
    ["a\n-1", '"a\n\'-1"'],
    ["a\r\n+1", '"a\r\n\'+1"'],
    ["a;b", '"a;b"'],
    ["a-b=c@d.example, 1+1", '"a-b=c@d.example, 1+1"'],
  ])("writes %j so that no spreadsheet of any locale finds a formula in it", async (name, cell) => {
    expect(await csvOf(name)).toBe(`name,age\r\n${cell},1\r\n`);
  });

  it("leaves a negative number a number", async () => {
    expect(await textOf(exportText("csv", COLUMNS, parts([{ name: "a", age: -1 }])))).toBe("name,age\r\na,-1\r\n");
  });

  it("quotes what CSV separates by", async () => {
    expect(await csvOf('a,"b"', "two\nlines", "plain - text")).toBe('name,age\r\n"a,""b""",1\r\n"two\nlines",1\r\nplain - text,1\r\n');
  });

  it("is one JSON object a line in NDJSON, as it is", async () => {
    expect(await textOf(exportText("ndjson", COLUMNS, parts([{ name: "=1", age: 1 }], [], [{ name: "b", age: 2 }])))).toBe(
      '{"name":"=1","age":1}\n{"name":"b","age":2}\n',
    );
  });

  it("has its head without rows too, and once with many parts", async () => {
    expect(await textOf(exportText("csv", COLUMNS, parts()))).toBe("name,age\r\n");
    expect(await textOf(exportText("csv", COLUMNS, parts([{ name: "a", age: 1 }], [{ name: "b", age: 2 }])))).toBe(
      "name,age\r\na,1\r\nb,2\r\n",
    );
  });

  it.each(["csv", "ndjson"] as const)("as %s fails before its answer begins when its first rows can't be read", async (format) => {
    await expect(exportResponse(exportText(format, COLUMNS, failing()), format, "people")).rejects.toThrow("went away");
    const begun = await exportResponse(exportText(format, COLUMNS, failing([{ name: "a", age: 1 }])), format, "people");
    expect(begun.headers.get("content-disposition")).toBe(`attachment; filename="people.${format}"`);
    await expect(begun.text()).rejects.toThrow("went away");
  });
});

it("a streamed answer reads no further than its reader has come, and stops when the reader leaves", async () => {
  let read = 0;
  let ended = false;
  async function* pieces() {
    try {
      for (; read < 1000; read += 1) yield `piece ${read}\n`;
    } finally {
      ended = true;
    }
  }
  const { body } = await textStream(pieces(), { type: "text/plain", fileName: "x" });
  const reader = body?.getReader();
  for (let n = 0; n < 3; n += 1) await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(read).toBeLessThanOrEqual(3);
  await reader?.cancel();
  expect(ended).toBe(true);
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ["drop", "event: alive\ndata: {}\n\n"],
  ["wait", ": still here\n\n"],
] as const)("a quiet stream (%s) says every 15 s that it is there", async (whenSlow, alive) => {
  const leave = new AbortController();
  const request = new Request("http://localhost/api/v1/feed", { signal: leave.signal });
  const quiet = async function* (signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  };
  const reader = eventStream(request, quiet, whenSlow).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("retry: 2000\n\n");
  for (let n = 0; n < 2; n += 1) {
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await reader?.read())?.value).toBe(alive);
  }
  leave.abort();
  expect((await reader?.read())?.done).toBe(true);
});

test("frames that are there at once go out as one piece", async () => {
  const burst = async function* () {
    for (let n = 0; n < 3; n += 1) yield { event: "appended", data: { n } };
  };
  const reader = eventStream(new Request("http://localhost/api/v1/feed"), burst).body?.pipeThrough(new TextDecoderStream()).getReader();
  const frames = [0, 1, 2].map((n) => `event: appended\ndata: {"n":${n}}\n\n`).join("");
  expect((await reader?.read())?.value).toBe(`retry: 2000\n\n${frames}`);
  expect((await reader?.read())?.done).toBe(true);
});

test("a burst without end is not gathered whole: it goes out while it comes", async () => {
  const long = "x".repeat(10_000);
  const burst = async function* () {
    for (let n = 0; n < 50; n += 1) yield { event: "appended", data: { long } };
  };
  const reader = eventStream(new Request("http://localhost/api/v1/feed"), burst).body?.getReader();
  const sizes: number[] = [];
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) sizes.push(piece.value.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(500_000);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
});
