import { connect } from "node:net";
import pg from "pg";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { CountedLog, createLogger, errorFields } from "#lib/observability/logger";
import { TEST_ENV } from "#tests/support/environment";

type Entry = Record<string, unknown> & { err?: Record<string, unknown> };

/** Returns what the process's own logger writes for these fields. */
function entryOf(fields: Record<string, unknown>): Entry {
  resetEnv({ ...TEST_ENV, LOG_LEVEL: "info" });
  const lines: string[] = [];
  createLogger("test", { write: (line) => void lines.push(line) }).error(fields, "something failed");
  return JSON.parse(lines.join("")) as Entry;
}

/** Of the form that the sandbox and others give out; the last is as short and plain as one may be. */
const AUTHORIZATION_CODES = ["sbc_8kV0tq2mXw9LrYp4", "SplxlOBeZQQYbYS6WxSbIA", "4/0AX4XfWh-aBcD", "ABCDEFGHIJKLMNOPQRSTUVWX0123456789"];

describe("the code of an error", () => {
  it("is told where it names the kind of error: of the system, of Node, of the database", async () => {
    const refused = await new Promise((resolve) => connect(1, "127.0.0.1").on("error", resolve));
    expect(entryOf({ err: refused }).err).toMatchObject({ code: "ECONNREFUSED", syscall: "connect", port: 1 });
    const violation = Object.assign(new pg.DatabaseError("duplicate key", 1, "error"), {
      ...{ code: "23505", table: "users", constraint: "users_email_key", detail: "Key (email)=(ada@example.com) already exists." },
    });
    const entry = entryOf({ err: violation });
    expect(entry.err).toMatchObject({ code: "23505", table: "users", constraint: "users_email_key", message: "duplicate key" });
    expect(JSON.stringify(entry), "what somebody sent").not.toContain("ada@example.com");
    for (const code of ["EADDRINUSE", "EAI_AGAIN", "ERR_INVALID_URL", "UND_ERR_CONNECT_TIMEOUT", "57P01", "P2024"])
      expect(entryOf({ err: Object.assign(new Error("failed"), { code }) }).err?.code).toBe(code);
  });

  it("is blanked where it may be OAuth's, on an error and anywhere else", () => {
    for (const code of AUTHORIZATION_CODES) {
      const bearer = Object.assign(new Error("the exchange failed"), { code, params: { code, state: code }, response: { body: { code } } });
      for (const fields of [{ err: bearer }, { err: { code } }, { code }, { query: { code } }, { error: { code } }])
        expect(JSON.stringify(entryOf(fields)), code).not.toContain(code);
      expect(entryOf({ err: bearer }).err).toMatchObject({ type: "Error", message: "the exchange failed", code: "[redacted]" });
    }
  });
});

it("an error is told with its stack and its causes'", () => {
  const cause = new TypeError("the socket closed");
  const { stack } = entryOf({ err: new Error("no answer", { cause }) }).err ?? {};
  expect(stack).toMatch(/^Error: no answer\n {4}at [\s\S]*caused by: TypeError: the socket closed\n {4}at /);
});

it("fields that hold secrets are blanked by name", () => {
  const entry = entryOf({ token: "secret-1", connection: { refreshToken: "secret-2", name: "Acme" } });
  expect(entry).toMatchObject({ token: "[redacted]", connection: { refreshToken: "[redacted]", name: "Acme" } });
});

test("what others said in an error steers no terminal: its stack is shown there as it is, line by line", () => {
  const error = new Error("the server said \u001b]0;title\u0007\u009b31m");
  const { stack } = errorFields(error) as { stack: string };
  expect(stack).toContain("the server said \\x1b]0;title\\x07\\x9b31m\n    at ");
});

afterEach(() => void vi.useRealTimers());

test("a cause is told at once, then once a minute with its count, and not at all when it has ended", () => {
  vi.useFakeTimers();
  const lines: object[] = [];
  const log = new CountedLog((fields) => void lines.push(fields));
  for (let n = 0; n < 1000; n += 1) log.note({ outcome: "unavailable", cause: "disk full" });
  log.note({ outcome: "overloaded" });
  expect(lines).toEqual([
    { outcome: "unavailable", cause: "disk full", count: 1 },
    { outcome: "overloaded", count: 1 },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual([{ outcome: "unavailable", cause: "disk full", count: 999 }]);
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(3);
  log.note({ outcome: "overloaded" });
  expect(lines.slice(3)).toEqual([{ outcome: "overloaded", count: 1 }]);
});
