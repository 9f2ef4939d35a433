import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { whileSessionChanges } from "#lib/client/queries/account";
import { isPageLeft } from "#lib/client/session-end";

afterEach(() => void vi.unstubAllGlobals());

test("no query runs while the session gets another ID, and they run again afterwards, also when that failed", async () => {
  vi.stubGlobal("window", new EventTarget());
  const seen = async () => [isPageLeft(), onlineManager.isOnline()];
  expect(await whileSessionChanges(seen)).toEqual([true, false]);
  expect(await seen()).toEqual([false, true]);
  await expect(whileSessionChanges(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(await seen()).toEqual([false, true]);
});
