"use client";

import { onlineManager } from "@tanstack/react-query";
import { forgetRecentPages } from "./palette/recent.tsx";

/**
 * Ends the session and goes to sign-in with a full page load, so that nothing
 * stays in memory. Queries are paused until then: they would be unauthenticated.
 */
export async function signOut(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  onlineManager.setOnline(false);
  try {
    await signOut({ redirect: false });
  } catch (error) {
    onlineManager.setOnline(true);
    throw error;
  }
  forgetRecentPages();
  location.assign("/sign-in");
}
