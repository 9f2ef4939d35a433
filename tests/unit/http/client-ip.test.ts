import { expect, test } from "vitest";
import { isLoopback, networkOf, parseIp, resolveClientIp } from "#lib/http/request-head";

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
