import { hash } from "node:crypto";

const NEWLINE = 10;
const LANES = 8;

/** Sums the rows' SHA-256 as eight 32-bit numbers, so that equal rows match in any order. */
export class RowDigest {
  rows = 0;
  private readonly lanes = new Uint32Array(LANES);
  private rest: Buffer[] = [];

  /** Takes text that may begin and end within a row. */
  add(text: Buffer): void {
    let from = 0;
    for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, from)) {
      this.addRow(text.subarray(from, end));
      from = end + 1;
    }
    if (from < text.length) this.rest.push(text.subarray(from));
  }

  private addRow(end: Buffer): void {
    const row = this.rest.length === 0 ? end : Buffer.concat([...this.rest.splice(0), end]);
    const sum = hash("sha256", row, "buffer");
    for (let lane = 0; lane < LANES; lane += 1) this.lanes[lane] = (this.lanes[lane] ?? 0) + sum.readUInt32LE(lane * 4);
    this.rows += 1;
  }

  hash(): string {
    return [...this.lanes].map((lane) => lane.toString(16).padStart(8, "0")).join("");
  }
}
