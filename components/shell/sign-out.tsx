import { useQueryClient } from "@tanstack/react-query";
import { leavePage, stayOnPage } from "#lib/client/session-end";

/** Returns a function that ends the session and fully loads the sign-in page: nothing stays in memory, and no request redirects back. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const [{ signOut }, { forgetRecentPages }] = await Promise.all([import("next-auth/react"), import("./palette/recent.tsx")]);
    leavePage();
    try {
      await queries.cancelQueries();
      await signOut({ redirect: false });
    } catch (error) {
      stayOnPage();
      throw error;
    }
    forgetRecentPages();
    location.assign("/sign-in");
  };
}
