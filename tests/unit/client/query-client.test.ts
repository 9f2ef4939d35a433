import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "#lib/client/fetch/query-client";

afterEach(() => onlineManager.setOnline(true));

test("a change made offline fails at once, and is not sent when the line is back", async () => {
  onlineManager.setOnline(false);
  const send = vi.fn(() => Promise.reject(new Error("offline")));
  const change = new MutationObserver(createQueryClient(), { mutationFn: send });
  await expect(change.mutate()).rejects.toThrow("offline");
  onlineManager.setOnline(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(send).toHaveBeenCalledOnce();
});
