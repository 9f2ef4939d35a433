import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { resetEnv } from "#lib/config/env";
import { checkTarget } from "#lib/forwarding/check-target";
import { TEST_ENV } from "#tests/support/environment";

type Answer = { address: string; family: number }[];

const asked: string[] = [];
let answer: (host: string) => Promise<Answer>;
vi.mock("node:dns/promises", () => ({
  lookup: (host: string) => {
    asked.push(host);
    return answer(host);
  },
}));

beforeAll(() => {
  resetEnv(TEST_ENV);
});
beforeEach(() => {
  asked.length = 0;
});

const PUBLIC: Answer = [{ address: "93.184.216.34", family: 4 }];
const check = (host: string) => checkTarget(`https://${host}/`);
const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

test("ten look-ups of one host at once ask the system once, and all of them have its answer", async () => {
  answer = async () => PUBLIC;
  const results = await times(10, () => check("app.example"));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(asked).toEqual(["app.example"]);
});

test("hosts are looked up apart, and an answer is not kept", async () => {
  answer = async () => PUBLIC;
  await Promise.all([check("app.example"), check("other.example")]);
  await check("app.example");
  expect(asked).toEqual(["app.example", "other.example", "app.example"]);
});

test("a failure goes to all who wait for it, and the next asks again", async () => {
  answer = () => Promise.reject(new Error("EAI_AGAIN"));
  const failed = await times(3, () => check("app.example"));
  expect(failed.every((result) => !result.ok && result.code === "unknown_host")).toBe(true);
  answer = async () => PUBLIC;
  expect(await check("app.example")).toMatchObject({ ok: true });
  expect(asked).toHaveLength(2);
});
