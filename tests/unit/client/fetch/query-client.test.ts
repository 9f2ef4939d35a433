import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem } from "#lib/client/fetcher";
import { createQueryClient } from "#lib/client/query-client";

afterEach(() => void vi.useRealTimers());
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

const tooMany = (seconds: number) =>
  new ApiProblem({ type: "about:blank", title: "Too many requests", status: 429, code: "too_many_requests" }, seconds);

test("a read that was turned away for a moment is made again when the server said", async () => {
  vi.useFakeTimers();
  const read = vi.fn().mockRejectedValueOnce(tooMany(5)).mockResolvedValue("answer");
  const answer = createQueryClient().fetchQuery({
    queryKey: ["a"],
    queryFn: read,
    retry: createQueryClient().getDefaultOptions().queries?.retry ?? false,
  });
  await vi.advanceTimersByTimeAsync(4900);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  await expect(answer).resolves.toBe("answer");
});

test("a read that was turned away for long is not made again by itself", async () => {
  const read = vi.fn().mockRejectedValue(tooMany(60));
  const retry = createQueryClient().getDefaultOptions().queries?.retry ?? false;
  await expect(createQueryClient().fetchQuery({ queryKey: ["a"], queryFn: read, retry })).rejects.toThrow("Too many");
  expect(read).toHaveBeenCalledTimes(1);
});
