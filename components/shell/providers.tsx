"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { ConfirmIdentity } from "#components/shell/confirm/confirm-identity";
import { EarlyClicks } from "#components/shell/early-clicks";
import { Toaster } from "#components/ui/feedback/toaster";
import { createQueryClient } from "#lib/client/fetch/query-client";

/** `nonce` is that of the Content-Security-Policy, for libraries that write styles into the page. */
export function Providers({ nonce: current, children }: { nonce: string; children: ReactNode }) {
  const [queries] = useState(createQueryClient);
  // Later responses for this page carry another nonce; the document's policy has only the first.
  const [nonce] = useState(() => {
    if (typeof window !== "undefined") setNonce(current);
    return current;
  });
  return (
    <QueryClientProvider client={queries}>
      <EarlyClicks nonce={nonce} />
      <ThemeProvider nonce={nonce} attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
        {children}
        <ConfirmIdentity />
        <Toaster />
      </ThemeProvider>
    </QueryClientProvider>
  );
}
