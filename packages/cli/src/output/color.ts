import { environment } from "../environment.ts";

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;
export type Color = keyof typeof CODES;
export type Paint = (color: Color, text: string) => string;

type Stream = { isTTY?: boolean | undefined };

/**
 * Whether a stream gets colours: only a terminal, and never with NO_COLOR (https://no-color.org), `--no-color` or
 * TERM=dumb.
 */
export function wantsColor(stream: Stream, refused = false): boolean {
  if (refused || environment.NO_COLOR || environment.TERM === "dumb") return false;
  return stream.isTTY === true;
}

/** Colours text, or leaves it as it is. */
export const painter = (on: boolean): Paint =>
  on ? (color, text) => `\u001b[${CODES[color][0]}m${text}\u001b[${CODES[color][1]}m` : (_, text) => text;

/** Text of others without control characters: a payload must not move the cursor, set a title or ring the bell. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, "0")}`);
