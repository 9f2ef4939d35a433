import { leavePage, stayOnPage } from "./leaving.ts";

/**
 * Sends a request whose answer gives the session another ID. Until it is there no query runs: with the ID before it, which
 * ends as the server commits, a query would lead to sign-in, and away from what the answer shows.
 */
export async function whileSessionChanges<T>(request: () => Promise<T>): Promise<T> {
  leavePage();
  try {
    return await request();
  } finally {
    stayOnPage();
  }
}
