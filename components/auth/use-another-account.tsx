"use client";

import { useHydrated } from "#components/ui/lists/use-hydrated";
import { Button } from "#components/ui/primitives/button";

export function UseAnotherAccount() {
  const hydrated = useHydrated();
  return (
    <Button
      variant="ghost"
      size="lg"
      className="mt-4 w-full"
      disabled={!hydrated}
      onClick={() => void import("next-auth/react").then(({ signOut }) => signOut({ callbackUrl: "/sign-in" }))}
    >
      Use another account
    </Button>
  );
}
