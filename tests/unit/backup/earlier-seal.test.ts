import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { unsealEarlier } from "#lib/backup/format/earlier-seal";
import { isSealedFile, openSealedFile } from "#lib/backup/sealed-object";
import { checkBackup } from "#lib/flows/installation/backup/make-backup";
import { earlierHeader, sealEarlier } from "#tests/support/earlier-seal";
import { CHUNK_BYTES, itOpens, itRefusesTampering, keyNamed, opener, TAG_BYTES } from "#tests/support/sealed-files";
import { temporaryFolder } from "#tests/support/temporary-folder";

// Until the end of November 2027: backups as they were sealed before they became age files.

const key = keyNamed("b1");
const name = "signalbox-2026-11-24T02-15-00Z-0a1b2c3d.backup";
const SEALED = CHUNK_BYTES + TAG_BYTES;

const sealed = async (plain: Buffer) => sealEarlier(plain, { key, name });
const HEADER = earlierHeader("b1", name).length;
const { opened, refusal } = opener(unsealEarlier, key, name);

itOpens({ sealed, opened }, 400);

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

  itRefusesTampering({ key, name, sealed, begin: () => HEADER, opened, refusal });

  it("is a file cut at the border of any chunk, and within one", async () => {
    const text = await sealed(plain);
    const from = HEADER;
    for (const chunks of [0, 1, 2, 3])
      expect(await refusal(text.subarray(0, from + chunks * SEALED))).toContain("incomplete: it ends too early");
    for (const bytes of [0, 10, from - 1]) expect(await refusal(text.subarray(0, bytes))).not.toBe("opened");
    for (const chunks of [0, 1, 2, 3]) expect(await refusal(text.subarray(0, from + chunks * SEALED + 77))).toContain("damaged, cut off");
  });

  it("is one whose header was made to say the name under which it stands", async () => {
    const renamed = await sealed(plain);
    renamed.write("signalbox-2026-11-23", renamed.indexOf("signalbox-2026-11-24"));
    expect(await refusal(renamed, { as: name.replace("-24T", "-23T") })).toContain("damaged, cut off or was altered");
  });

  it("is a file of a later version", async () => {
    const later = await sealed(plain);
    later[16] = 2;
    expect(await refusal(later)).toContain("sealed by a newer version");
  });

  it("is a long name or word that nobody wrote: the message does not repeat what is no name", async () => {
    const text = sealEarlier(plain, { key: { ...key, kid: "<script>\n" }, name });
    expect(await refusal(text)).not.toContain("<script>");
  });
});
