import { describe, expect, it, test } from "vitest";
import { AppError } from "#lib/contracts/api/app-error";
import { assertFraming, pathOf, rejectHead } from "#lib/http/request-head";

const invalid = expect.objectContaining({ code: "invalid_request" });

/** Returns what is thrown. */
function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return error;
  }
}

describe("the path of a request", () => {
  it.each([
    ["/events?a=1", ["localhost:3000"], "/events?a=1"],
    ["//evil.example/x", ["localhost"], "//evil.example/x"],
    ["/", ["signalbox.example"], "/"],
    ["/", ["my_host.internal:8080"], "/"],
    ["/", ["[::1]:3000"], "/"],
    ["/", [], "/"], // HTTP/1.0
    ["http://signalbox.example/events?a=1", ["signalbox.example"], "/events?a=1"],
    ["HTTP://Signalbox.Example", ["signalbox.example"], "/"],
    ["https://signalbox.example?a=1", ["signalbox.example"], "/?a=1"],
  ])("of the target %j with the hosts %j is %j", (target, hosts, path) => {
    expect(pathOf(target, hosts)).toBe(path);
  });

  it.each([
    ["/", ["localhost", "evil.example"]],
    ["/", ["localhost", "localhost"]],
    ["/", [""]],
    ["/", ["a b"]],
    ["/", ["a/b"]],
    ["/", ["user@evil.example"]],
    ["/", ["localhost:port"]],
    ["/", ["localhost, evil.example"]],
    ["*", ["localhost"]],
    ["evil.example:443", ["evil.example:443"]],
    ["events", ["localhost"]],
    ["http://evil.example/", ["localhost"]],
    ["http://evil.example/", []],
    ["http://localhost@evil.example/", ["localhost"]],
    ["ftp://localhost/", ["localhost"]],
    ["javascript:alert(1)", ["localhost"]],
  ])("is not found in the target %j with the hosts %j", (target, hosts) => {
    expect(thrownBy(() => pathOf(target, hosts))).toEqual(invalid);
  });
});

test("the only transfer coding is chunked, and HTTP/1.0 has none", () => {
  for (const coding of [undefined, "chunked", "Chunked"]) expect(() => assertFraming("1.1", coding)).not.toThrow();
  for (const coding of ["gzip, chunked", "chunked, chunked", "identity", "xchunked"])
    expect(thrownBy(() => assertFraming("1.1", coding))).toEqual(invalid);
  expect(thrownBy(() => assertFraming("1.0", "chunked"))).toEqual(invalid);
});

test.each(["TRACE", "TRACK", "CONNECT", "PROPFIND", "QUERY"])("%s is a method that no address takes", (method) => {
  const refused = rejectHead(method, "/");
  expect(refused?.error.status).toBe(405);
  expect(refused?.headers.allow).toContain("GET, HEAD");
});

test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s is left to the route", (method) => {
  expect(rejectHead(method, "/events/%e2%82%ac?q=%ff")).toBeNull();
});

test.each(["/%ff", "/events/%E0%A4%A", "/%", "/%zz"])("the path %j is no text", (path) => {
  expect(rejectHead("GET", path)?.error).toEqual(invalid);
});
