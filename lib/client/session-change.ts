import { leavePage, stayOnPage } from "./leaving.ts";

/**
 * Sends a request whose response changes the session's ID. No query runs meanwhile: with the old ID, which ends at the commit,
 * it would redirect to sign-in and lose the response.
 */
export async function whileSessionChanges<T>(request: () => Promise<T>): Promise<T> {
  leavePage();
  try {
    return await request();
  } finally {
    stayOnPage();
  }
}
