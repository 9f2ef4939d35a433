import { afterEach, expect, test } from "vitest";
import { takeConsole } from "#lib/observability/logger";

const METHODS = ["log", "info", "debug", "warn", "error"] as const;
const framework = globalThis.console;
const { log, info, debug, warn, error } = framework;
const listeners = process.listeners("warning");

afterEach(() => {
  Object.assign(framework, { log, info, debug, warn, error });
  process.removeAllListeners("warning");
  for (const listener of listeners) process.on("warning", listener);
});

function captured() {
  const out: string[] = [];
  const errors: string[] = [];
  const lines = takeConsole({ write: (line) => void out.push(line) }, { write: (line) => void errors.push(line) });
  return { lines, entries: () => out.map((line) => JSON.parse(line) as Record<string, unknown>), errors };
}

test("what the framework writes to the console becomes one JSON line each, without colors", () => {
  const { entries } = captured();
  for (const method of METHODS) framework[method]("\u001b[32m✓\u001b[39m %s\nsecond line", method);
  framework.log("");
  expect(entries().map(({ level, msg }) => [level, msg])).toEqual(
    METHODS.map((method) => [method === "warn" ? 40 : method === "error" ? 50 : 30, `✓ ${method}\nsecond line`]),
  );
});

test("an error on the console is told without what it carries", () => {
  const { entries } = captured();
  framework.error(" ⨯ ", Object.assign(new Error("it failed"), { code: "23505", detail: "ada@example.com" }));
  expect(entries()[0]).toMatchObject({ level: 50, msg: "⨯", err: { type: "Error", message: "it failed", code: "23505" } });
  expect(JSON.stringify(entries())).not.toContain("ada@example.com");
});

test("Node's warnings are lines as well, and a process's last words go to standard error", async () => {
  const { lines, entries, errors } = captured();
  process.emitWarning("too many", "MaxListenersExceededWarning");
  await expect.poll(() => entries()[0]).toMatchObject({ level: 40, type: "MaxListenersExceededWarning", msg: "too many" });
  lines.error("Port 3000 is in use");
  expect(JSON.parse(errors.join(""))).toMatchObject({ level: 50, msg: "Port 3000 is in use" });
});
