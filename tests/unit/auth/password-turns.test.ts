import { availableParallelism } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { verifyPassword } from "#lib/auth/sign-in/password";

const checks: (() => void)[] = [];

vi.mock("@node-rs/argon2", () => ({
  hash: async () => "hash",
  verify: () => new Promise((resolve) => checks.push(() => resolve(true))),
}));

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Ends every check that has its turn, and those that follow. */
async function endAll(): Promise<void> {
  while (checks.length > 0) {
    for (const end of checks.splice(0)) end();
    await vi.advanceTimersByTimeAsync(1000).catch(settled);
  }
}

afterEach(() => vi.useRealTimers());

test("whoever comes when a hundred wait to have a password checked is asked to try again, known or not, and later is heard", async () => {
  vi.useFakeTimers();
  const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
  const all = Array.from({ length: atOnce + 100 }, () => verifyPassword("a known hash", "a password"));
  const full = { code: "too_many_requests", retryAfterSeconds: 5 };
  await expect(verifyPassword("a known hash", "a password")).rejects.toMatchObject(full);
  await expect(verifyPassword(null, "a password")).rejects.toMatchObject(full);
  // Checks that wait for longer than a person does are dropped, too.
  const outcomes = Promise.allSettled(all);
  await vi.advanceTimersByTimeAsync(11_000);
  await endAll();
  const heard = (await outcomes).filter(({ status }) => status === "fulfilled").length;
  expect(heard).toBe(atOnce);
  const unknown = verifyPassword(null, "a password");
  await vi.advanceTimersByTimeAsync(1000);
  await endAll();
  expect(await unknown).toBe(false);
});
