import { type FileHandle, open } from "node:fs/promises";

const MAGIC = 0xfd2fb528;
const RLE = 1;

/** True for one Zstandard frame plus at most Node.js' empty one (RFC 8878, 3.1.1): decompression ignores what follows the first. */
export async function isOneFrame(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const first = await readFrame(handle, 0);
    if (first === null || first.end === size) return first !== null;
    const second = await readFrame(handle, first.end);
    return second?.end === size && second.bytes === 0;
  } finally {
    await handle.close();
  }
}

/** Returns a frame's end and the bytes of its blocks; null if it isn't whole. */
async function readFrame(handle: FileHandle, from: number): Promise<{ end: number; bytes: number } | null> {
  const { buffer: head, bytesRead } = await handle.read(Buffer.alloc(5), 0, 5, from);
  if (bytesRead < 5 || head.readUInt32LE(0) !== MAGIC) return null;
  const descriptor = head.readUInt8(4);
  let at = from + 5 + headerBytes(descriptor);
  let bytes = 0;
  for (const block = Buffer.alloc(3); ; ) {
    if ((await handle.read(block, 0, 3, at)).bytesRead < 3) return null;
    const header = block.readUIntLE(0, 3);
    const size = ((header >> 1) & 3) === RLE ? 1 : header >> 3;
    bytes += size;
    at += 3 + size;
    if (header & 1) return { end: at + (descriptor & 4 ? 4 : 0), bytes };
  }
}

/** Returns the length of window, dictionary and content size, as far as the descriptor announces them. */
function headerBytes(descriptor: number): number {
  const single = (descriptor >> 5) & 1;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const content = [single, 2, 4, 8][descriptor >> 6] ?? 0;
  return (single ? 0 : 1) + dictionary + content;
}
