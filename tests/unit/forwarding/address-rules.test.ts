import { describe, expect, test } from "vitest";
import { type AllowList, readAllowList } from "#lib/config/setting-formats";
import { readTargetUrl, ruleOnAddress } from "#lib/forwarding/check-target";

const rangesOf = (text: string): AllowList["ranges"] => readAllowList(text)?.ranges ?? [];

describe("which addresses may be called", () => {
  test.each(["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
    "%s is public",
    (address) => {
      expect(ruleOnAddress(address, [])).toBe("public");
    },
  );

  test.each([
    ...["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "198.18.0.1", "192.0.2.1"],
    ...[
      "203.0.113.10",
      "240.0.0.1",
      "192.88.99.1",
      "::1",
      "fc00::1",
      "fd12::1",
      "2001:db8::1",
      "2001::1",
      "2001:20::1",
      "100::1",
      "5f00::1",
    ],
    ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::7f00:1"],
    ...["2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::", "::127.0.0.1", "::ffff:0:127.0.0.1", "fec0::1", "3fff::1"],
  ])("%s is not", (address) => {
    expect(ruleOnAddress(address, [])).toBe("private");
  });

  test.each([
    ...["0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.1", "255.255.255.255", "224.0.0.1", "239.255.255.250", "100.100.100.200"],
    ...[
      "168.63.129.16",
      "::",
      "fe80::1",
      "fe80::1%eth0",
      "::1%lo",
      "ff02::1",
      "fd00:ec2::254",
      "::ffff:169.254.169.254",
      "64:ff9b::a9fe:a9fe",
    ],
    ...["2002:a9fe:a9fe::", "::169.254.169.254", "::ffff:0.0.0.0", "not an address", ""],
  ])("%s is never called, whatever is allowed", (address) => {
    expect(ruleOnAddress(address, rangesOf("0.0.0.0/0, ::/0"), true)).toBe("never");
  });

  test("FORWARD_ALLOW opens exactly what it says, in every form of the address", () => {
    const allowed = rangesOf("10.1.0.0/16, 192.168.1.7, fd12::/64");
    const open = ["10.1.0.1", "10.1.255.255", "192.168.1.7", "::ffff:10.1.2.3", "64:ff9b::a01:203", "fd12::9"];
    const shut = ["10.0.255.255", "10.2.0.0", "192.168.1.8", "127.0.0.1", "fd12:0:0:1::1", "::1"];
    for (const address of open) expect([address, ruleOnAddress(address, allowed)]).toEqual([address, "allowed"]);
    for (const address of shut) expect([address, ruleOnAddress(address, allowed)]).toEqual([address, "private"]);
  });

  test("an entry that is neither range nor host name is no allow list", () => {
    for (const text of [
      "10.0.0.0/33",
      "10.1",
      "0x0a000001",
      "::1/129",
      "http://a",
      "a b",
      "10.0.0.1:80",
      "*.example.com",
      "[::1]",
      "1.2.3",
    ])
      expect([text, readAllowList(text)]).toEqual([text, null]);
    expect(readAllowList("internal.example, localhost,,")?.hosts).toEqual(["internal.example", "localhost"]);
  });
});

describe("which URLs may be targets", () => {
  const hostOf = (text: string) => {
    const read = readTargetUrl(text);
    return read.ok ? read.target.host : read.reason;
  };

  test.each([
    ["https://2130706433/", "127.0.0.1"],
    ["https://0x7f000001/", "127.0.0.1"],
    ["https://0177.0.0.1/", "127.0.0.1"],
    ["https://0x7f.1/", "127.0.0.1"],
    ["https://127.1/", "127.0.0.1"],
    ["https://１２７.0.0.1/", "127.0.0.1"],
    ["https://127.0.0.1./", "127.0.0.1"],
    ["https://localhost./", "localhost"],
    ["https://LOCALHOST/", "localhost"],
    ["https://[::ffff:127.0.0.1]/", "::ffff:7f00:1"],
    ["https://[0:0:0:0:0:0:0:1]/", "::1"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://ⓛocalhost/", "localhost"],
    ["https:\\\\127.0.0.1\\x", "127.0.0.1"],
    ["https://a\tb.example/", "ab.example"],
  ])("%s is read as what is connected to: %s", (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  test.each([
    ["https://user:secret@example.com/", "user name"],
    ["https://example.com@127.0.0.1/", "user name"],
    ["https://example.com:22/", "Port 22"],
    ["https://example.com:6/", "Port 6"],
    ["https://example.com/#x", "fragment"],
    ["ftp://example.com/", "https://"],
    ["file:///etc/passwd", "https://"],
    ["gopher://127.0.0.1:6379/_x", "https://"],
    ["javascript:alert(1)", "https://"],
    ["//example.com", "https://"],
    ["https://[fe80::1%25eth0]/", "https://"],
    ["https://", "https://"],
  ])("%s is refused, and says why", (text, why) => {
    expect(hostOf(text)).toContain(why);
  });
});
