import { describe, expect, it, test } from "vitest";
import { AppError } from "#lib/contracts/api/app-error";
import { assertFraming, isLoopback, networkOf, parseIp, pathOf, rejectHead, resolveClientIp } from "#lib/http/request-head";

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

test("without a proxy of ours nothing that a client writes is believed", () => {
  for (const forwarded of ["203.0.113.9", "203.0.113.9, 10.0.0.1", "garbage", undefined])
    expect(resolveClientIp("::ffff:198.51.100.7", forwarded, 0)).toBe("198.51.100.7");
});

test("behind one proxy the last entry counts, however many a client puts before it", () => {
  expect(resolveClientIp("10.0.0.1", "198.51.100.7", 1)).toBe("198.51.100.7");
  expect(resolveClientIp("10.0.0.1", "1.1.1.1, 2.2.2.2, 198.51.100.7", 1)).toBe("198.51.100.7");
  expect(resolveClientIp("10.0.0.1", "1.1.1.1, 198.51.100.7:4711", 1)).toBe("198.51.100.7");
  expect(resolveClientIp("10.0.0.1", "[2001:db8::1]:4711", 1)).toBe("2001:db8::1");
});

test("behind two the last but one counts; what is no address or was not written leaves the connection's own", () => {
  expect(resolveClientIp("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.2", 2)).toBe("198.51.100.7");
  for (const forwarded of ["198.51.100.7", "nonsense, 10.0.0.2", "", undefined])
    expect(resolveClientIp("10.0.0.1", forwarded, 2)).toBe("10.0.0.1");
  expect(resolveClientIp(undefined, undefined, 0)).toBeNull();
});

test.each(["127.1", "0177.0.0.1", "0x7f000001", "2130706433", "192.0.2.01", "192.0.2.256", "1::2::3", "", "localhost"])(
  "%j is no address, although some programs read it as one",
  (text) => expect(parseIp(text)).toBeNull(),
);

test("an IPv6 address counts as its network, and IPv4 in whatever dress as itself", () => {
  for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0db8:0001:0002::"])
    expect(networkOf(address)).toBe("2001:db8:1:2");
  for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"]) expect(networkOf(address)).toBe("192.0.2.1");
  expect(networkOf("fe80::1%eth0")).toBe("fe80:0:0:0");
});

test("this machine is 127.0.0.0/8 and ::1, also through an IPv6 socket", () => {
  for (const address of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]) expect(isLoopback(address)).toBe(true);
  for (const address of ["128.0.0.1", "::2", "10.0.0.1", "", "127.0.0.1.example.com"]) expect(isLoopback(address)).toBe(false);
});
