import { expect, test } from "vitest";
import { hashPassword, passwordProblem, verifyPassword } from "#lib/auth/sign-in/password";

test("a password is kept as argon2id and verifies", async () => {
  const hash = await hashPassword("a long enough password");
  expect(hash).toMatch(/^\$argon2id\$/);
  await expect(verifyPassword(hash, "a long enough password")).resolves.toBe(true);
  await expect(verifyPassword(hash, "a long enough passworD")).resolves.toBe(false);
});

test("an unknown account costs as much time as a known one", async () => {
  const hash = await hashPassword("a long enough password");
  const timed = async (stored: string | null) => {
    const before = process.cpuUsage();
    expect(await verifyPassword(stored, "wrong")).toBe(false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await timed(null); // makes the decoy
  // The quickest of several, in turns: whatever else this process does is no cost of the work.
  let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < 4; turn += 1) {
    known = Math.min(known, await timed(hash));
    unknown = Math.min(unknown, await timed(null));
  }
  expect(unknown).toBeGreaterThan(known / 4);
});

test.each([
  ["short", "12 characters"],
  ["aaaaaaaaaaaaaaa", "too common"],
  ["Password1234", "too common"],
  ["someone@example.com", "your password"],
])("%s is refused with a reason", (password, words) => {
  expect(passwordProblem(password, "someone@example.com")).toContain(words);
});

test("twelve characters are enough", () => {
  expect(passwordProblem("tram-violet7", "someone@example.com")).toBeNull();
});
