/**
 * The API as the tools use it, with the rights of whoever asks: the command line calls it over HTTP, the MCP endpoint
 * calls its own handlers. Both throw an Error whose message is for people.
 */
export type ApiAccess = {
  /** URL of the console: answers carry URLs below it. */
  consoleUrl: string;
  get: (path: string, query?: Record<string, string | number | readonly string[] | undefined>) => Promise<unknown>;
  post: (path: string, body: unknown) => Promise<unknown>;
};
