import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { BackupError } from "#lib/backup/format/backup-file";
import { unsealEarlier } from "#lib/backup/format/earlier-seal";
import { isSealedFile, openSealedFile } from "#lib/backup/sealed-object";
import type { RingKey } from "#lib/config/setting-formats";
import { checkBackup } from "#lib/flows/installation/backup/make-backup";
import { CHUNK_BYTES, earlierHeader, sealEarlier, TAG_BYTES } from "#tests/support/earlier-seal";
import { temporaryFolder } from "#tests/support/temporary-folder";

// Until the end of November 2027: backups as they were sealed before they became age files.

const keyNamed = (kid: string): RingKey => ({ kid, key: new Uint8Array(randomBytes(32)) });
const key = keyNamed("b1");
const name = "signalbox-2026-11-24T02-15-00Z-0a1b2c3d.backup";
const SEALED = CHUNK_BYTES + TAG_BYTES;

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const collect = async (stream: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(stream));
const sealed = (plain: Buffer) => sealEarlier(plain, { key, name });
const header = earlierHeader("b1", name).length;
const opened = (bytes: Buffer, { keys = [key], as = name, piece = 7001 } = {}) =>
  collect(unsealEarlier(inPieces(bytes, piece), { keys, name: as }));

/** Returns the words that it is refused with; "opened" when it is not. */
const refusal = (bytes: Buffer, options = {}) =>
  opened(bytes, options).then(
    () => "opened",
    (error: unknown) => {
      expect(error).toBeInstanceOf(BackupError);
      return (error as Error).message;
    },
  );

test.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 3 * CHUNK_BYTES + 5])(
  "%d bytes come back as they were, in whatever pieces they arrive",
  async (bytes) => {
    const plain = randomBytes(bytes);
    for (const piece of [1000, CHUNK_BYTES, 5 * CHUNK_BYTES]) {
      const text = sealed(plain);
      expect((await opened(text, { piece })).equals(plain)).toBe(true);
      expect(text.length - bytes).toBeLessThan(400);
    }
  },
);

/** Made by the version that sealed like this. */
const FIXTURE =
  "c2lnbmFsYm94LXNlYWxlZAEAAmIxAC5zaWduYWxib3gtMjAyNi0xMS0yNFQwMi0xNS0wMFotMGExYjJjM2QuYmFja3VwpSpXoRm6bIYIWHqyMZR1tWInmums73CbfrA+OvETMjvSbM4bdiQa0/RvQ/2jp7E6/jaGK6C4Ydq6wKMmjhdCHZibR6NPHeSH0o/zy0VimmN6KeqX+Zj6okn2JO88ogQXm58gHvbtZVpXcv0+pXipIH3gzKGVtEJb+I+PljxdXXhxlWfsKiQQoqH3W/uB+j+CsejN4ANitGOZkqAstlxNAf5Sx7P3hsjZB7MO8vkxuW9oBx2qdq1fd6h3RFuVDkGOEBfGYmThRZFdJrXENSuIgGvD/7C7wN8j6SAsWMDbGvzt8vxtzd2zXWWQ6Xp4yxRXas4QodIkf7yRf0Vkk+w9h7EZBBdiQj5YAd0uEVSPcIY+CL+IM7QhWAwj+6Ys9nMNBg2okVMMyKm0WMpxBZk+URt/k2GJLNe5dnjQ/tLUHEGnl4s/3boIPHB9BKSR8q/K8NXhAwlokH5H0k30dMBKSO6HKWVNiadDqlarKjSkX9clC2kpHhM9j0huD4Ho5I5miEuK47Hu4XKF88/7DCPpajBB8Xl1mpDwSmXoi8bgkThWa4Q=";

test("a backup that an earlier version sealed is opened, and is a whole backup", async () => {
  const folder = temporaryFolder();
  const sealedFile = path.join(folder, name);
  writeFileSync(sealedFile, Buffer.from(FIXTURE, "base64"));
  expect(await isSealedFile(sealedFile)).toBe(true);
  const to = path.join(folder, "opened.backup");
  const labels: unknown[] = [];
  const running = new AbortController().signal;
  const keys = [keyNamed("b2"), { kid: "b1", key: new Uint8Array(32).fill(9) }];
  await openSealedFile(keys, sealedFile, { to, signal: running, onLabel: (label) => labels.push(label) });
  const { head, manifest } = await checkBackup(to, () => undefined, running);
  expect([head.createdAt, manifest.rows, labels]).toEqual(["2026-11-24T02:15:00.000Z", 1, []]);
});

describe("what is refused", () => {
  const plain = randomBytes(3 * CHUNK_BYTES + 1000);

  it("is a file with any byte of its header changed", async () => {
    const text = sealed(randomBytes(300));
    for (let at = 0; at < header; at += 1) {
      const bad = Buffer.from(text);
      bad[at] = (bad[at] ?? 0) ^ 1;
      expect(await refusal(bad)).not.toBe("opened");
    }
  });

  it("is a file with a byte of any chunk changed: its first, its last, its tag", async () => {
    const text = sealed(plain);
    const from = header;
    for (let chunk = 0; chunk < 4; chunk += 1)
      for (const offset of [0, 500, chunk === 3 ? 1000 : CHUNK_BYTES, chunk === 3 ? 1015 : SEALED - 1]) {
        const bad = Buffer.from(text);
        const at = from + chunk * SEALED + offset;
        bad[at] = (bad[at] ?? 0) ^ 0x80;
        expect(await refusal(bad)).toContain("damaged, cut off or was altered");
      }
  });

  it("is a file cut at the border of any chunk, and within one", async () => {
    const text = sealed(plain);
    const from = header;
    for (const chunks of [0, 1, 2, 3])
      expect(await refusal(text.subarray(0, from + chunks * SEALED))).toContain("incomplete: it ends too early");
    for (const bytes of [0, 10, from - 1]) expect(await refusal(text.subarray(0, bytes))).not.toBe("opened");
    for (const chunks of [0, 1, 2, 3]) expect(await refusal(text.subarray(0, from + chunks * SEALED + 77))).toContain("damaged, cut off");
  });

  it("is a file with chunks swapped, repeated, left out or of another file", async () => {
    const text = sealed(plain);
    const other = sealed(plain);
    const from = header;
    const chunk = (of: Buffer, number: number) => of.subarray(from + number * SEALED, from + (number + 1) * SEALED);
    const made = (...chunks: Buffer[]) => Buffer.concat([text.subarray(0, from), ...chunks]);
    const [a, b, c, d] = [0, 1, 2, 3].map((number) => chunk(text, number)) as [Buffer, Buffer, Buffer, Buffer];
    expect((await opened(made(a, b, c, d))).equals(plain)).toBe(true);
    for (const bad of [
      made(b, a, c, d),
      made(a, c, b, d),
      made(a, a, b, c, d),
      made(a, b, d),
      made(a, b, c, c, d),
      made(a, chunk(other, 1), c, d),
    ])
      expect(await refusal(bad)).toContain("damaged");
    expect(await refusal(made(d))).toContain("damaged");
    expect(await refusal(made(a, b, c, d, d))).toContain("damaged");
  });

  it("is a file with more behind its end, also where the last chunk is a whole one", async () => {
    const whole = sealed(randomBytes(2 * CHUNK_BYTES));
    expect(await refusal(Buffer.concat([whole, randomBytes(100)]))).toContain("the file continues after its end");
    expect(await refusal(Buffer.concat([sealed(plain), Buffer.from("x")]))).toContain("damaged");
  });

  it("is another backup under this name, and this one under another", async () => {
    const text = sealed(plain);
    expect(await refusal(text, { as: "signalbox-other.backup" })).toBe(
      `This is a different backup: it was made as ${name} but is stored as signalbox-other.backup. Nothing was changed. Find the right object, or rename this one to its original name.`,
    );
    // Its header made to say the name under which it stands.
    const renamed = Buffer.from(text);
    renamed.write("signalbox-2026-11-23", renamed.indexOf("signalbox-2026-11-24"));
    expect(await refusal(renamed, { as: name.replace("-24T", "-23T") })).toContain("damaged, cut off or was altered");
  });

  it("is a file of a key that is not here, or of another key by the same name", async () => {
    const text = sealed(plain);
    expect(await refusal(text, { keys: [keyNamed("b2")] })).toContain("sealed with the key b1, which is not in BACKUP_KEY");
    expect(await refusal(text, { keys: [keyNamed("b1")] })).toContain("can't be decrypted");
    expect((await opened(text, { keys: [keyNamed("b2"), key] })).equals(plain)).toBe(true);
  });

  it("is a file that is none, or of a later version", async () => {
    expect(await refusal(Buffer.from("PGDMP"))).toBe("This is not a sealed Signalbox backup.");
    const later = sealed(plain);
    later[16] = 2;
    expect(await refusal(later)).toContain("sealed by a newer version");
  });

  it("is a long name or word that nobody wrote: the message does not repeat what is no name", async () => {
    const text = sealEarlier(plain, { key: { ...key, kid: "<script>\n" }, name });
    expect(await refusal(text)).not.toContain("<script>");
  });
});
