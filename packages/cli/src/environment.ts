/** Only place in the command line that reads the environment. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;
