import { leavePage, stayOnPage } from "./leaving.ts";

/** Sends a request that replaces the session's ID. No query runs meanwhile: with the old ID it would redirect to sign-in. */
export async function whileSessionChanges<T>(request: () => Promise<T>): Promise<T> {
  leavePage();
  try {
    return await request();
  } finally {
    stayOnPage();
  }
}
