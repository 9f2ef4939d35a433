import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { BackupError } from "#lib/backup/format/backup-file";
import type { RingKey } from "#lib/config/setting-formats";

// What both forms of a sealed backup have in common: chunks of 64 KiB, each with its tag.

export const CHUNK_BYTES = 65_536;
export const TAG_BYTES = 16;
const SEALED = CHUNK_BYTES + TAG_BYTES;

export const keyNamed = (kid: string): RingKey => ({ kid, key: new Uint8Array(randomBytes(32)) });

export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const collect = async (stream: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(stream));

type Unseal = (source: AsyncIterable<Uint8Array>, options: { keys: RingKey[]; name: string }) => AsyncIterable<Uint8Array>;

/** Opens sealed bytes. `refusal` returns the words that they are refused with; "opened" when they are not. */
export function opener(unseal: Unseal, key: RingKey, name: string) {
  const opened = (bytes: Buffer, { keys = [key], as = name, piece = 7001 } = {}) =>
    collect(unseal(inPieces(bytes, piece), { keys, name: as }));
  const refusal = (bytes: Buffer, options = {}) =>
    opened(bytes, options).then(
      () => "opened",
      (error: unknown) => {
        expect(error).toBeInstanceOf(BackupError);
        return (error as Error).message;
      },
    );
  return { opened, refusal };
}

type SealedForm = ReturnType<typeof opener> & {
  key: RingKey;
  name: string;
  sealed: (plain: Buffer, options?: { piece?: number }) => Promise<Buffer>;
  /** Where the first chunk begins. */
  begin: (text: Buffer) => number;
};

/** Tests that what was sealed is opened, whatever its size and the pieces in which it comes. */
export function itOpens({ sealed, opened }: Pick<SealedForm, "sealed" | "opened">, overhead: number): void {
  it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 3 * CHUNK_BYTES + 5])(
    "%d bytes come back as they were, in whatever pieces they arrive",
    async (bytes) => {
      const plain = randomBytes(bytes);
      for (const piece of [1000, CHUNK_BYTES, 5 * CHUNK_BYTES]) {
        const text = await sealed(plain, { piece });
        expect((await opened(text, { piece })).equals(plain)).toBe(true);
        expect(text.length - bytes).toBeLessThan(overhead);
      }
    },
  );
}

/** Tests that what was altered in a sealed file is refused, whatever its form. */
export function itRefusesTampering({ key, name, sealed, begin, opened, refusal }: SealedForm): void {
  const plain = randomBytes(3 * CHUNK_BYTES + 1000);

  it("is a file with any byte of its header changed", async () => {
    const text = await sealed(randomBytes(300));
    for (let at = 0; at < begin(text); at += 1) expect(await refusal(flipped(text, at, 1)), `byte ${at}`).not.toBe("opened");
  });

  it("is a file with a byte of any chunk changed: its first, its last, its tag", async () => {
    const text = await sealed(plain);
    for (let chunk = 0; chunk < 4; chunk += 1)
      for (const offset of [0, 500, chunk === 3 ? 1000 : CHUNK_BYTES, chunk === 3 ? 1015 : SEALED - 1])
        expect(await refusal(flipped(text, begin(text) + chunk * SEALED + offset, 0x80))).toContain("damaged, cut off or was altered");
  });

  it("is a file with chunks swapped, repeated, left out or of another file", async () => {
    const [text, other] = [await sealed(plain), await sealed(plain)];
    const chunk = (of: Buffer, number: number) => of.subarray(begin(of) + number * SEALED, begin(of) + (number + 1) * SEALED);
    const made = (...chunks: Buffer[]) => Buffer.concat([text.subarray(0, begin(text)), ...chunks]);
    const [a, b, c, d] = [0, 1, 2, 3].map((number) => chunk(text, number)) as [Buffer, Buffer, Buffer, Buffer];
    expect((await opened(made(a, b, c, d))).equals(plain)).toBe(true);
    for (const chunks of [
      [b, a, c, d],
      [a, c, b, d],
      [a, a, b, c, d],
      [a, b, d],
      [a, b, c, c, d],
      [a, chunk(other, 1), c, d],
      [d],
      [a, b, c, d, d],
    ])
      expect(await refusal(made(...chunks))).toContain("damaged");
  });

  it("is a file with more behind its end, also where the last chunk is a whole one", async () => {
    const whole = await sealed(randomBytes(2 * CHUNK_BYTES));
    expect(await refusal(Buffer.concat([whole, randomBytes(100)]))).toMatch(/damaged|the file continues after its end/);
    expect(await refusal(Buffer.concat([await sealed(plain), Buffer.from("x")]))).toContain("damaged");
  });

  it("is another backup under this name, and this one under another, such as an older one under the name of a newer", async () => {
    const newer = name.replace("-24T", "-25T");
    expect(await refusal(await sealed(plain), { as: newer })).toBe(
      `This is a different backup: it was made as ${name} but is stored as ${newer}. Nothing was changed. Find the right object, or rename this one to its original name.`,
    );
  });

  it("is a file that is none", async () => {
    expect(await refusal(Buffer.from("PGDMP"))).toBe("This is not a sealed Signalbox backup.");
  });

  it("is a file of a key that is not here, or of another key by the same name", async () => {
    const text = await sealed(plain);
    expect(await refusal(text, { keys: [keyNamed("b2")] })).toContain("sealed with the key b1, which is not in BACKUP_KEY");
    expect(await refusal(text, { keys: [keyNamed("b1")] })).toContain("can't be decrypted");
    expect((await opened(text, { keys: [keyNamed("b2"), key] })).equals(plain)).toBe(true);
  });
}

function flipped(text: Buffer, at: number, bits: number): Buffer {
  const bad = Buffer.from(text);
  bad[at] = (bad[at] ?? 0) ^ bits;
  return bad;
}
