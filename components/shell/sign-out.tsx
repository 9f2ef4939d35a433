"use client";

import { onlineManager, useQueryClient } from "@tanstack/react-query";
import { forgetRecentPages } from "./palette/recent.tsx";

/**
 * Returns what ends the session and goes to sign-in with a full page load, so that nothing stays in memory. Until then no query
 * runs: it would be unauthenticated, and send the next person to the page that it was for.
 */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const { signOut } = await import("next-auth/react");
    onlineManager.setOnline(false);
    try {
      await queries.cancelQueries();
      await signOut({ redirect: false });
    } catch (error) {
      onlineManager.setOnline(true);
      throw error;
    }
    forgetRecentPages();
    location.assign("/sign-in");
  };
}
