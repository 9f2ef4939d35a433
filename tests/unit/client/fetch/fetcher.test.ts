import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { ApiProblem, apiFetch, apiSend } from "#lib/client/fetcher";
import { setOwnBuild } from "#lib/client/own-build";

const answer = (body: unknown, status = 200, build = "") =>
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => Response.json(body, { status, headers: { "signalbox-build": build } })),
  );
afterEach(() => {
  setOwnBuild("");
  vi.unstubAllGlobals();
});

const problemOf = (promise: Promise<unknown>): Promise<ApiProblem> =>
  promise.then(
    () => Promise.reject(new Error("it did not fail")),
    (error) => error,
  );

test("an answer that fits its schema is returned", async () => {
  answer({ id: "evt_1", more: true });
  expect(await apiFetch(async () => z.object({ id: z.string() }), "/api/v1/events/evt_1")).toEqual({ id: "evt_1" });
});

test("an answer that does not fit is a problem, never half an object: a page without a build of its own checks every one", async () => {
  answer({ id: 1 });
  expect((await problemOf(apiFetch(async () => z.object({ id: z.string() }), "/"))).code).toBe("answer_malformed");
});

test("what the page's own build answered is taken as it is, without its schema; what another build answered is checked", async () => {
  setOwnBuild("b1");
  const schema = vi.fn(async () => z.object({ id: z.string() }));
  answer({ id: "evt_1" }, 200, "b1");
  expect(await apiFetch(schema, "/")).toEqual({ id: "evt_1" });
  expect(schema).not.toHaveBeenCalled();
  answer({ id: 1 }, 200, "b2");
  expect((await problemOf(apiFetch(schema, "/"))).code).toBe("answer_malformed");
  expect(schema).toHaveBeenCalledTimes(1);
});

test("a problem keeps its code, its words and what is wrong with each field", async () => {
  const errors = [{ path: "password", message: "Use 12 characters or more." }];
  answer({ type: "about:blank", title: "No", status: 400, code: "invalid_request", detail: "The password is short.", errors }, 400);
  const problem = await problemOf(apiSend(null, "POST", "/api/setup", {}));
  expect(problem).toBeInstanceOf(ApiProblem);
  expect([problem.code, problem.message, problem.errors[0]?.message]).toEqual([
    "invalid_request",
    "The password is short.",
    "Use 12 characters or more.",
  ]);
});

test("an error without a problem document and a dead line both become words", async () => {
  vi.stubGlobal("fetch", async () => new Response("<html>", { status: 502 }));
  expect((await problemOf(apiFetch(null, "/"))).message).toContain("502");
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed to fetch")));
  expect((await problemOf(apiFetch(null, "/"))).code).toBe("unreachable");
});

test("a schema that can't be loaded is a problem in words; what changes something is then not sent", async () => {
  answer({ id: "evt_1" });
  const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  expect((await problemOf(apiFetch(gone, "/"))).code).toBe("unreachable");
  vi.mocked(fetch).mockClear();
  expect((await problemOf(apiSend(gone, "POST", "/"))).code).toBe("unreachable");
  expect(fetch).not.toHaveBeenCalled();
});

test("a request that was called off stays an AbortError, which the query cache knows", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new DOMException("off", "AbortError")));
  await expect(apiFetch(null, "/")).rejects.toThrow(DOMException);
});
