/** The environment: read here and nowhere else in the command line. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;
