"use client";

import { useQueryClient } from "@tanstack/react-query";
import { leavePage, stayOnPage } from "#lib/client/leaving";

/**
 * Returns what ends the session and goes to sign-in with a full page load, so that nothing stays in memory. Nothing that still
 * runs meanwhile sends the next person to the page that it was for.
 */
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
