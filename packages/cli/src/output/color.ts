import { printableLines } from "../../../../lib/contracts/api/plain-text.ts";
import { environment } from "../environment.ts";

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;
export type Color = keyof typeof CODES;
export type Paint = (color: Color, text: string) => string;

type Stream = { isTTY?: boolean | undefined };

/** True for a terminal without NO_COLOR (https://no-color.org), `--no-color` and TERM=dumb. */
export function wantsColor(stream: Stream, refused = false): boolean {
  if (refused || environment.NO_COLOR || environment.TERM === "dumb") return false;
  return stream.isTTY === true;
}

export const painter = (on: boolean): Paint =>
  on ? (color, text) => `\u001b[${CODES[color][0]}m${text}\u001b[${CODES[color][1]}m` : (_, text) => text;

const OWN_COLORS = new RegExp(`(\u001b\\[(?:${[...new Set(Object.values(CODES).flat())].join("|")})m)`);

/** Makes text of others printable and keeps our own colors. */
export const painted = (text: string): string =>
  text
    .split(OWN_COLORS)
    .map((part, at) => (at % 2 === 1 ? part : printableLines(part)))
    .join("");
