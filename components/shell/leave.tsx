"use client";

import { onlineManager } from "@tanstack/react-query";

/**
 * Ends the session and goes to sign-in. The whole page is left, so nothing of it
 * stays in memory; until it is gone it asks for no news, which it would as nobody.
 */
export async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  onlineManager.setOnline(false);
  try {
    await signOut({ redirect: false });
  } catch (error) {
    onlineManager.setOnline(true);
    throw error;
  }
  location.assign("/sign-in");
}
