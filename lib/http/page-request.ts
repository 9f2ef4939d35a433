/** True for a request whose answer a person looks at: a browser that opens an address. Programs don't ask for HTML. */
export const isPageRequest = (headers: Headers): boolean => headers.get("accept")?.includes("text/html") ?? false;
