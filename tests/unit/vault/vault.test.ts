import { beforeAll, expect, test } from "vitest";
import { resetEnv } from "#lib/config/env";
import { clearPart } from "#lib/vault/sealed-values";
import { open, type SealContext, seal } from "#lib/vault/vault";

const key = (fill: number) => Buffer.alloc(32, fill).toString("base64");
const place: SealContext = { workspaceId: "wsp_1", table: "connection_tokens", row: "con_1", field: "access" };

beforeAll(() => {
  resetEnv({ VAULT_KEYS: `k1:${key(1)}` });
});

test("what was sealed opens at the same place", async () => {
  const { sealed, keyId } = await seal("a token with ümläuts", place);
  expect(keyId).toBe("k1");
  expect(sealed).not.toContain("token");
  await expect(open(sealed, place)).resolves.toBe("a token with ümläuts");
});

test("the same secret sealed twice looks different", async () => {
  const [one, two] = await Promise.all([seal("same", place), seal("same", place)]);
  expect(one.sealed).not.toBe(two.sealed);
});

test("not one changed character opens, whichever it is", async () => {
  const { sealed } = await seal("secret", place);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (let at = 0; at < sealed.length; at++) {
    const letter = sealed.charAt(at);
    // The neighbours in the alphabet differ in the lowest bits, which sloppy decoders drop.
    for (const step of [1, 2, 4, 8, 16, 32]) {
      const other = letter === "." ? "A" : alphabet.charAt(alphabet.indexOf(letter) ^ step);
      const forged = sealed.slice(0, at) + other + sealed.slice(at + 1);
      await expect(open(forged, place), `character ${at}`).rejects.toMatchObject({ name: "VaultError" });
    }
  }
});

test.each(["workspaceId", "table", "row", "field"] as const)("a ciphertext moved to another %s does not open", async (part) => {
  const { sealed } = await seal("secret", place);
  await expect(open(sealed, { ...place, [part]: "other" })).rejects.toMatchObject({ code: "wrong_context" });
});

test("a place whose parts could be read two ways is refused", async () => {
  await expect(seal("secret", { ...place, row: "a|b" })).rejects.toMatchObject({ code: "wrong_context" });
});

test("after a rotation old secrets open with the old key and new ones use the new key", async () => {
  const old = await seal("old", place);
  resetEnv({ VAULT_KEYS: `k2:${key(2)},k1:${key(1)}` });
  await expect(open(old.sealed, place)).resolves.toBe("old");
  expect((await seal("new", place)).keyId).toBe("k2");
  resetEnv({ VAULT_KEYS: `k2:${key(2)}` });
  await expect(open(old.sealed, place)).rejects.toMatchObject({ code: "key_unknown" });
  resetEnv({ VAULT_KEYS: `k1:${key(9)}` });
  await expect(open(old.sealed, place)).rejects.toMatchObject({ code: "tampered" });
});

test("what is no sealed text at all is called tampered", async () => {
  for (const text of ["", "....", "secret", "a.b.c.d.e.f"]) await expect(open(text, place)).rejects.toMatchObject({ code: "tampered" });
});

test.each([
  ["https://hooks.example.com/", false],
  ["https://hooks.example.com", false],
  ["https://hooks.example.com/?token=secret", true],
  ["https://hooks.example.com/services/secret", true],
])("of %s only the origin stays in the clear where anything follows it", (url, hides) => {
  expect(clearPart(url)).toEqual({ url: hides ? "https://hooks.example.com/#sealed" : url, hides });
});
