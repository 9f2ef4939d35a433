"use client";

/** Ends the session and goes to sign-in. The whole page is left, so nothing of it stays in memory. */
export async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ redirect: false });
  location.assign("/sign-in");
}
