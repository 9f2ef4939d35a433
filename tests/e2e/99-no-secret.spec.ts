import { WORKERS } from "./support/installation.ts";
import { type Searched, searchSecrets } from "./support/secret-search.ts";
import { expect, test } from "./support/watched-page.ts";

// The last file: after everything that the others did, no secret stands in what
// the installation printed, in its database, or in any answer of its API.

test("no secret stands in the log, in the database or in any answer of the API, also not a token of a connection", async () => {
  const searched: Searched[] = [];
  for (let at = 0; at < WORKERS; at += 1) searched.push(await searchSecrets(at));
  expect(searched.flatMap(({ found }) => found)).toEqual([]);
  // Which installation has connections depends on which files its worker ran.
  const tokens = searched.flatMap(({ names }) => names).filter((name) => / token of /.test(name));
  expect(tokens.length).toBeGreaterThanOrEqual(4);
});
