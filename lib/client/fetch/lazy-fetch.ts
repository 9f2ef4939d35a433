import type * as z from "zod/mini";

/**
 * As `apiFetch`, for requests that every page makes: its code and the schema
 * load with the first request, so that no page waits for them to render.
 *
 * @param schema imports the schema that validates the response
 */
export async function lazyFetch<T extends z.ZodMiniType>(schema: () => Promise<T>, path: string, init?: RequestInit): Promise<z.infer<T>> {
  const [{ apiFetch }, wanted] = await Promise.all([import("./fetcher.ts"), schema()]);
  return apiFetch(wanted, path, init);
}
