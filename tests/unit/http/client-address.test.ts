import { expect, test } from "vitest";
import { clientAddress } from "#lib/http/client-address";

test("without a proxy of ours nothing that a client writes is believed", () => {
  for (const forwarded of ["203.0.113.9", "203.0.113.9, 10.0.0.1", "garbage", undefined])
    expect(clientAddress("::ffff:198.51.100.7", forwarded, 0)).toBe("198.51.100.7");
});

test("behind one proxy the last entry counts, however many a client puts before it", () => {
  expect(clientAddress("10.0.0.1", "198.51.100.7", 1)).toBe("198.51.100.7");
  expect(clientAddress("10.0.0.1", "1.1.1.1, 2.2.2.2, 198.51.100.7", 1)).toBe("198.51.100.7");
  expect(clientAddress("10.0.0.1", "1.1.1.1, 198.51.100.7:4711", 1)).toBe("198.51.100.7");
  expect(clientAddress("10.0.0.1", "[2001:db8::1]:4711", 1)).toBe("2001:db8::1");
});

test("behind two the last but one counts; what is no address or was not written leaves the connection's own", () => {
  expect(clientAddress("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.2", 2)).toBe("198.51.100.7");
  for (const forwarded of ["198.51.100.7", "nonsense, 10.0.0.2", "", undefined])
    expect(clientAddress("10.0.0.1", forwarded, 2)).toBe("10.0.0.1");
  expect(clientAddress(undefined, undefined, 0)).toBeNull();
});
