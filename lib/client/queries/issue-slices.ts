import type { IssuesChanged } from "#lib/contracts/issues";

/** The API changes at most this many issues in one request. */
const MAX_AT_ONCE = 100;

/**
 * Changes any number of issues: sends slices that the API takes, one after the other, and adds up the answers.
 *
 * @throws what `send` throws; the slices before are changed by then
 */
export async function inSlices(ids: string[], send: (ids: string[]) => Promise<IssuesChanged>): Promise<IssuesChanged> {
  const all: IssuesChanged = { changed: [], unchanged: [] };
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE) {
    const { changed, unchanged } = await send(ids.slice(from, from + MAX_AT_ONCE));
    all.changed.push(...changed);
    all.unchanged.push(...unchanged);
  }
  return all;
}
