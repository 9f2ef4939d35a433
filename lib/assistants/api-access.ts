/** The API with the caller's rights: over HTTP, or in the process for the MCP endpoint. Errors have messages for people. */
export type ApiAccess = {
  /** URL of the dashboard, for links in answers. */
  consoleUrl: string;
  get: (path: string, query?: Record<string, string | number | readonly string[] | undefined>) => Promise<unknown>;
  post: (path: string, body: unknown) => Promise<unknown>;
};
