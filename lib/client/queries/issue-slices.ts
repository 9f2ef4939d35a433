import type { IssuesChanged } from "#lib/contracts/issues";

/** Most issues that the API changes in one request. */
const MAX_AT_ONCE = 100;

/** Changes any number of issues in slices, in sequence. @throws what `send` throws; earlier slices are changed by then */
export async function inSlices(ids: string[], send: (ids: string[]) => Promise<IssuesChanged>): Promise<IssuesChanged> {
  const all: IssuesChanged = { changed: [], unchanged: [] };
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE) {
    const { changed, unchanged } = await send(ids.slice(from, from + MAX_AT_ONCE));
    all.changed.push(...changed);
    all.unchanged.push(...unchanged);
  }
  return all;
}
