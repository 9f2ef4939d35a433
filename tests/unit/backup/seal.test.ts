import { execFileSync } from "node:child_process";
import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { zstdCompressSync } from "node:zlib";
import { Decrypter, Encrypter, identityToRecipient } from "age-encryption";
import { describe, expect, it, test } from "vitest";
import { ageIdentity, MAX_HEADER, type SealLabel, seal, unseal } from "#lib/backup/format/seal";
import type { RingKey } from "#lib/config/setting-formats";
import { CHUNK_BYTES, collect, inPieces, itOpens, itRefusesTampering, keyNamed, opener, TAG_BYTES } from "#tests/support/sealed-files";
import { temporaryFolder } from "#tests/support/temporary-folder";

// https://github.com/C2SP/C2SP/blob/main/age.md
const SEALED = CHUNK_BYTES + TAG_BYTES;
const NONCE_BYTES = 16;

const key = keyNamed("b1");
const name = "signalbox-2026-11-24T02-15-00Z-0a1b2c3d.backup";
const label: SealLabel = { name, createdAt: "2026-11-24T02:15:00.000Z", installation: "https://hooks.example.com" };

const sealed = (plain: Buffer, { piece = 10_000, ...options }: { piece?: number; key?: RingKey; label?: SealLabel } = {}) =>
  collect(seal(inPieces(plain, piece), { key, label, ...options }));
const { opened, refusal } = opener(unseal, key, name);

const headerLength = (text: Buffer): number => text.indexOf("\n", text.indexOf("\n--- ") + 5) + 1;

/** As decision 54 describes it, without the product's own code. */
function labelBody(of: Uint8Array, fileKey: Uint8Array): Buffer {
  const derived = new Uint8Array(hkdfSync("sha256", of, fileKey, "signalbox backup label", 32));
  const cipher = createCipheriv("aes-256-gcm", derived, Buffer.alloc(12));
  return Buffer.concat([cipher.update(JSON.stringify(label)), cipher.final(), cipher.getAuthTag()]);
}

/** By the library alone, which knows nothing of labels. */
async function openedByAge(text: Buffer, identity: string): Promise<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return Buffer.from(await decrypter.decrypt(new Uint8Array(text)));
}

itOpens({ sealed, opened }, 700);

test("age opens it with the identity of the key, and gets the backup itself", async () => {
  const plain = randomBytes(2 * CHUNK_BYTES + 9);
  const text = await sealed(plain);
  expect(text.toString("latin1").startsWith("age-encryption.org/v1\n-> X25519 ")).toBe(true);
  expect((await openedByAge(text, await ageIdentity(key))).equals(plain)).toBe(true);
  await expect(openedByAge(text, await ageIdentity(keyNamed("b1")))).rejects.toThrow("no identity matched");
});

const AGE = ["/usr/bin/age", "/usr/local/bin/age", "/opt/homebrew/bin/age"].find((file) => existsSync(file));

test.skipIf(AGE === undefined)("the program age opens it: the commands of docs/maintenance.md", { tags: ["deep"] }, async () => {
  const folder = temporaryFolder();
  const plain = Buffer.from("signalbox-backup {}\n".repeat(10_000));
  writeFileSync(path.join(folder, "identity.txt"), `# b1 of BACKUP_KEY\n${await ageIdentity(key)}\n`, { mode: 0o600 });
  writeFileSync(path.join(folder, name), await sealed(zstdCompressSync(plain)));
  const run = (...args: string[]) => execFileSync(AGE ?? "", args, { cwd: folder });
  run("--decrypt", "--identity", "identity.txt", "--output", "opened.zst", name);
  expect(zstdCompressSync(plain).equals(readFileSync(path.join(folder, "opened.zst")))).toBe(true);
});

test("the identity is derived as docs/maintenance.md does by hand", async () => {
  const ofNines = { kid: "b1", key: new Uint8Array(32).fill(9) };
  expect(await ageIdentity(ofNines)).toBe("AGE-SECRET-KEY-1T0MCDQGDTTEZGH7MKRZ8TV8Q2FDV0Z3223F08JHF7MMVWUF3XCNSPAMSFA");
});

test("neither name, time nor installation can be read without the key", async () => {
  const text = (await sealed(randomBytes(10))).toString("latin1");
  for (const word of ["2026-11", "hooks.example", "0a1b2c3d", Buffer.from(name).toString("base64").slice(4, 30)])
    expect(text).not.toContain(word);
});

test("who opens it learns what it is", async () => {
  const labels: SealLabel[] = [];
  await collect(unseal(inPieces(await sealed(randomBytes(10)), 100), { keys: [key], name, onLabel: (each) => labels.push(each) }));
  expect(labels).toEqual([label]);
});

describe("what is refused", () => {
  const plain = randomBytes(3 * CHUNK_BYTES + 1000);

  itRefusesTampering({ key, name, sealed, begin: (text) => headerLength(text) + NONCE_BYTES, opened, refusal });

  it("is a file cut at the border of any chunk, and within one", async () => {
    const text = await sealed(plain);
    const from = headerLength(text) + NONCE_BYTES;
    for (const bytes of [19, 30, headerLength(text) - 1]) expect(await refusal(text.subarray(0, bytes))).toContain("it ends too early");
    for (const chunks of [0, 1, 2, 3])
      for (const more of [0, 10, 77]) expect(await refusal(text.subarray(0, from + chunks * SEALED + more))).toContain("damaged, cut off");
    expect(await refusal(text.subarray(0, headerLength(text)))).toContain("damaged, cut off");
    for (const bytes of [0, 10]) expect(await refusal(text.subarray(0, bytes))).toBe("This is not a sealed Signalbox backup.");
    expect(await refusal(text.subarray(0, -1))).toContain("damaged, cut off");
  });

  it("is a file with the header of another", async () => {
    const [text, other] = [await sealed(plain), await sealed(plain)];
    const bad = Buffer.concat([other.subarray(0, headerLength(other)), text.subarray(headerLength(text))]);
    expect(await refusal(bad)).toContain("damaged");
  });

  it("is a file with the label of another: of another name, time, installation or key", async () => {
    const text = (await sealed(plain)).toString("latin1");
    const part = (of: string) => /-> signalbox\/label [^-]+(?=\n---)/.exec(of)?.[0] ?? "";
    const another = keyNamed("b1");
    for (const options of [
      { label: { ...label, name: "signalbox-other.backup" } },
      { label: { ...label, createdAt: "2026-11-25T02:15:00.000Z" } },
      { label: { ...label, installation: "https://other.example.com" } },
      { key: another },
    ]) {
      const other = (await sealed(plain, options)).toString("latin1");
      expect(part(other)).not.toBe("");
      const bad = Buffer.from(text.replace(part(text), part(other)), "latin1");
      for (const as of [name, "signalbox-other.backup"])
        expect(await refusal(bad, { as, keys: [key, another] })).toContain("damaged, cut off or was altered");
    }
  });

  it("is an age file that somebody made who knows the recipient, but not the key", async () => {
    const recipient = await identityToRecipient(await ageIdentity(key));
    const without = new Encrypter();
    without.addRecipient(recipient);
    expect(await refusal(Buffer.from(await without.encrypt(new Uint8Array(plain))))).toContain("Signalbox didn't seal it");
    const stolen = /-> signalbox\/label b1\n([^-]+)\n---/.exec((await sealed(plain)).toString("latin1"))?.[1] ?? "";
    const forged = async (bodyOf: (fileKey: Uint8Array) => Buffer) => {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      encrypter.addRecipient({ wrapFileKey: (fileKey) => [{ args: ["signalbox/label", "b1"], body: new Uint8Array(bodyOf(fileKey)) }] });
      return Buffer.from(await encrypter.encrypt(new Uint8Array(plain)));
    };
    for (const bodyOf of [
      () => Buffer.from(stolen, "base64"),
      (fileKey: Uint8Array) => labelBody(new Uint8Array(32), fileKey),
      (fileKey: Uint8Array) => labelBody(keyNamed("b1").key, fileKey),
    ])
      expect(await refusal(await forged(bodyOf))).toContain("damaged, cut off or was altered");
    expect(await refusal(await forged((fileKey) => labelBody(key.key, fileKey)))).toBe("opened");
  });

  it("is a file of a later version, or one whose header never ends", async () => {
    const later = Buffer.from((await sealed(plain)).toString("latin1").replace("/v1\n", "/v2\n"), "latin1");
    expect(await refusal(later)).toContain("sealed by a newer version");
    let read = 0;
    async function* endless() {
      yield Buffer.from("age-encryption.org/v1\n");
      for (; ; read += 1000) yield Buffer.alloc(1000, "x");
    }
    await expect(collect(unseal(endless(), { keys: [key], name }))).rejects.toThrow("its header can't be read");
    expect(read).toBeLessThan(MAX_HEADER + 2000);
  });

  it("is a name that nobody wrote: the message does not repeat what is no name", async () => {
    const text = (await sealed(plain)).toString("latin1");
    expect(await refusal(Buffer.from(text.replace("label b1\n", "label <script>\n"), "latin1"))).toBe(
      "This backup was sealed with the key of an unreadable name, which is not in BACKUP_KEY. Add that key after the first one.",
    );
  });
});

describe("a source that fails", () => {
  it("is passed on as it is, and is ended", async () => {
    const text = await sealed(randomBytes(3 * CHUNK_BYTES));
    const ended: string[] = [];
    async function* failing(after: number, error: Error) {
      try {
        yield text.subarray(0, after);
        throw error;
      } finally {
        ended.push(error.message);
      }
    }
    for (const after of [10, 2000, 2 * CHUNK_BYTES])
      await expect(collect(unseal(failing(after, new Error(`silent ${after}`)), { keys: [key], name }))).rejects.toThrow(`silent ${after}`);
    expect(ended).toHaveLength(3);
    await expect(collect(seal(failing(5, new Error("disk")), { key, label }))).rejects.toThrow("disk");
  });

  it("is ended when its content is refused, and when the reader has enough", async () => {
    const text = await sealed(randomBytes(9 * CHUNK_BYTES));
    let ended = 0;
    async function* source() {
      try {
        yield* inPieces(text, 30_000);
      } finally {
        ended += 1;
      }
    }
    await expect(collect(unseal(source(), { keys: [key], name: "other" }))).rejects.toThrow("different backup");
    for await (const chunk of unseal(source(), { keys: [key], name })) if (chunk.length > 0) break;
    await expect.poll(() => ended).toBe(2);
  });
});
