import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { takesPasskeys } from "#lib/client/passkeys";
import { isFromThisMachine } from "#lib/processes/server/request";

// Tried here: /metrics without a token was answered to any name that led to a loopback address (DNS rebinding, a proxy that adds no
// header), and passkeys were offered at an IP address.

const from = (remoteAddress: string, headers: Record<string, string>) =>
  isFromThisMachine({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

it.each([
  ["127.0.0.1", "localhost:3000", true],
  ["127.0.0.1", "127.0.0.1:3000", true],
  ["::1", "[::1]:3000", true],
  ["::ffff:127.0.0.1", "signalbox.localhost", true],
  ["127.0.0.1", "signalbox.example", false],
  ["127.0.0.1", "rebound.example:3000", false],
  ["127.0.0.1", "localhost.example", false],
  ["203.0.113.9", "localhost:3000", false],
])("metrics without a token: a connection from %s that names %s is this machine's: %s", (address, host, expected) => {
  expect(from(address, { host })).toBe(expected);
});

it("a request without Host, or that a proxy has brought, is nobody's on this machine", () => {
  expect(from("127.0.0.1", {})).toBe(false);
  expect(from("127.0.0.1", { host: "localhost", "x-forwarded-for": "203.0.113.9" })).toBe(false);
});

it.each([
  ["localhost", true, true],
  ["signalbox.example", true, true],
  ["10.example.org", true, true],
  ["192.0.2.7", true, false],
  ["[2001:db8::1]", true, false],
  ["signalbox.example", false, false],
])("passkeys are offered where browsers take them: %s, a secure context: %s: %s", (hostname, isSecure, expected) => {
  expect(takesPasskeys({ hostname, isSecure })).toBe(expected);
});
