import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem } from "#lib/client/fetcher";
import { whileSessionChanges } from "#lib/client/queries/account";
import { isPageLeft, leavePage, signInWhenSessionEnded, stayOnPage } from "#lib/client/session-end";

afterEach(() => {
  stayOnPage();
  vi.unstubAllGlobals();
});

test("a response without a session leads to sign-in, but not while the page is being left", () => {
  const assign = vi.fn();
  vi.stubGlobal("location", { pathname: "/events", search: "?type=x", assign });
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  const ended = new ApiProblem({ type: "about:blank", title: "", status: 401, code: "unauthenticated", detail: "" }, null);
  leavePage();
  signInWhenSessionEnded(ended);
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  signInWhenSessionEnded(ended);
  expect(assign).not.toHaveBeenCalled();
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  signInWhenSessionEnded(new Error("something else"));
  expect(assign).not.toHaveBeenCalled();
  signInWhenSessionEnded(ended);
  expect(assign.mock.calls).toEqual([["/sign-in?returnTo=%2Fevents%3Ftype%3Dx"]]);
});

test("no query runs while the session gets another ID, and they run again afterwards, also when that failed", async () => {
  vi.stubGlobal("window", new EventTarget());
  const seen = async () => [isPageLeft(), onlineManager.isOnline()];
  expect(await whileSessionChanges(seen)).toEqual([true, false]);
  expect(await seen()).toEqual([false, true]);
  await expect(whileSessionChanges(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(await seen()).toEqual([false, true]);
});
