/** True if a person looks at the answer: a browser opens the URL. Programs don't ask for HTML. */
export const isPageRequest = (headers: Headers): boolean => headers.get("accept")?.includes("text/html") ?? false;
