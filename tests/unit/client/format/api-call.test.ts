import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type ApiCall, callCode, callOf, exampleValues } from "#lib/client/format/api-call";

const OPERATION = {
  parameters: [
    { name: "id", in: "path" as const, required: true, schema: {}, example: "evt 1" },
    { name: "type", in: "query" as const, required: false, schema: { type: "array" }, example: ["a", "b"] },
    { name: "Idempotency-Key", in: "header" as const, required: false, schema: {} },
  ],
  requestBody: { required: true, content: { "application/json": { schema: {}, example: { name: "it's" } } } },
};

test("a call is filled in from the example, lists as repeated parameters; what is empty is left out", () => {
  const call = callOf("post", "/events/{id}", OPERATION, exampleValues(OPERATION));
  expect(call).toEqual({ method: "POST", path: "/events/evt%201?type=a&type=b", headers: [], body: '{\n  "name": "it\'s"\n}' });
  const other = callOf("post", "/events/{id}", OPERATION, { parameters: { id: "x", "Idempotency-Key": "once" }, body: null });
  expect(other).toEqual({ method: "POST", path: "/events/x", headers: [["Idempotency-Key", "once"]], body: null });
});

/** Quotes of every kind, and what a shell, a template literal and an f-string would put something in place of. */
const HOSTILE: ApiCall = {
  method: "POST",
  path: `/events/x?q=${encodeURIComponent("it's")}`,
  headers: [["Idempotency-Key", "a'b\"c$HOME`d`{e}"]],
  body: '{"name":"it\'s \\"quoted\\" $HOME `x` {y}\\n"}',
};

test("curl is a command that a shell takes, quotes in its body too", () => {
  const code = callCode("curl", "http://x", HOSTILE);
  const words = execFileSync("sh", ["-c", code.replace(/^curl/, "printf '%s\\n'")], {
    env: { ...process.env, SIGNALBOX_KEY: "sbx_1" },
  }).toString();
  expect(words).toContain("Authorization: Bearer sbx_1\n");
  expect(words).toContain(`Idempotency-Key: ${HOSTILE.headers[0]?.[1]}\n`);
  expect(words).toContain(`${HOSTILE.body}\n`);
});

test("TypeScript sends just this call", async () => {
  const calls: [string, RequestInit][] = [];
  const code = callCode("typescript", "http://x", HOSTILE).replace(/^import .*\n/, "");
  const run = new Function("fetch", "env", "console", `return (async () => {${code}})()`);
  await run(
    async (...call: [string, RequestInit]) => {
      calls.push(call);
      return { status: 200, text: async () => "" };
    },
    { SIGNALBOX_KEY: "sbx_1" },
    { log: () => undefined },
  );
  const [url, init] = calls[0] ?? ["", {}];
  expect(url).toBe(`http://x${HOSTILE.path}`);
  expect(init).toMatchObject({ method: "POST", body: HOSTILE.body });
  expect(init.headers).toMatchObject({ Authorization: "Bearer sbx_1", "Idempotency-Key": HOSTILE.headers[0]?.[1] });
});

test("Python has the body as a text that JSON's escapes mean the same in", () => {
  const code = callCode("python", "http://x", HOSTILE);
  expect(code).toContain(`data=${JSON.stringify(HOSTILE.body)}.encode(),`);
  expect(code).toContain('method="POST"');
});
