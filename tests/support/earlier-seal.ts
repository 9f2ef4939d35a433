import { createCipheriv, hash, hkdfSync, randomBytes } from "node:crypto";
import type { RingKey } from "#lib/config/setting-formats";
import { CHUNK_BYTES } from "./sealed-files.ts";

/** The writer of the sealed form that lib/backup/format/earlier-seal.ts reads. It goes with it. */
const prefixed = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

export const earlierHeader = (kid: string, name: string): Buffer =>
  Buffer.concat([Buffer.from("signalbox-sealed\u0001"), prefixed(kid), prefixed(name), randomBytes(32)]);

export function sealEarlier(plain: Buffer, { key, name }: { key: RingKey; name: string }): Buffer {
  const header = earlierHeader(key.kid, name);
  const derived = new Uint8Array(hkdfSync("sha256", key.key, header.subarray(-32), hash("sha256", header, "buffer"), 32));
  const sealed = [header];
  const chunks = Math.max(1, Math.ceil(plain.length / CHUNK_BYTES));
  for (let number = 0; number < chunks; number += 1) {
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(number, 5, 6);
    nonce[11] = number === chunks - 1 ? 1 : 0;
    const cipher = createCipheriv("aes-256-gcm", derived, nonce);
    sealed.push(cipher.update(plain.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES)), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(sealed);
}
