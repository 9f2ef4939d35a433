const WIDTH = 16;
const [PRINTABLE_FROM, PRINTABLE_TO] = [0x20, 0x7e];

export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += WIDTH) {
    const row = bytes.subarray(offset, offset + WIDTH);
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const ascii = Array.from(row, (byte) => (byte >= PRINTABLE_FROM && byte <= PRINTABLE_TO ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${offset.toString(16).padStart(8, "0")}  ${hex.padEnd(WIDTH * 3 - 1)}  ${ascii}`);
  }
  return lines.join("\n");
}
