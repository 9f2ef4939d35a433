/** Returns an error's first line for people, never SQL: pg keeps that out of `message`. */
export const firstLineOf = (error: unknown): string => (error as Error).message.split("\n")[0]?.slice(0, 300) ?? "unknown";
