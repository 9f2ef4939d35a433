/** Prints a measurement beside the test that made it. */
export const figure = (words: string): void => void process.stdout.write(`${words}\n`);
