import { expect, it } from "vitest";
import { isNetwork } from "#lib/platform/schemes/unsigned-schemes";

it.each(["10.0.0.0/8", "203.0.113.7", "203.0.113.0/24", "2001:db8::/32", "fc00::/7", "2001:db8::1"])(
  "%s is a network of somebody's own",
  (text) => {
    expect(isNetwork(text)).toBe(true);
  },
);

it.each([
  "0.0.0.0/0",
  "0.0.0.0/1",
  "128.0.0.0/1",
  "10.0.0.0/7",
  "::/0",
  "2000::/3",
  "::ffff:0.0.0.0/96",
  "example.com",
  "10.0.0/8",
  "10.0.0.0/8/8",
  "10.0.0.0/33",
])("%s is none: it is the internet, or no network", (text) => {
  expect(isNetwork(text)).toBe(false);
});
