/** Prints what a row of the test book was measured at. */
export const figure = (row: number, words: string): void => void process.stdout.write(`[row ${row}] ${words}\n`);
