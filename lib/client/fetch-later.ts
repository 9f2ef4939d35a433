import type * as z from "zod/mini";

/**
 * As `apiFetch`, for what every page asks for: its code and the schema's come
 * with the first request, so that no page waits for them to be drawn.
 *
 * @param schema imports what the answer is validated by
 */
export async function fetchLater<T extends z.ZodMiniType>(schema: () => Promise<T>, path: string, init?: RequestInit): Promise<z.infer<T>> {
  const [{ apiFetch }, wanted] = await Promise.all([import("./fetcher.ts"), schema()]);
  return apiFetch(wanted, path, init);
}
