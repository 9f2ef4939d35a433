"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { Toaster } from "#components/ui/toaster";
import { createQueryClient } from "#lib/client/query-client";

/**
 * What every page needs around it: the query cache, the theme and toasts.
 *
 * @param nonce of the page's Content-Security-Policy: libraries that write styles into the page need it
 */
export function Providers({ nonce: current, children }: { nonce: string; children: ReactNode }) {
  const [queries] = useState(createQueryClient);
  // A later answer for this page brings another nonce; the document's policy knows the first alone.
  const [nonce] = useState(() => {
    if (typeof window !== "undefined") setNonce(current);
    return current;
  });
  return (
    <QueryClientProvider client={queries}>
      <ThemeProvider nonce={nonce} attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
        {children}
        <Toaster />
      </ThemeProvider>
    </QueryClientProvider>
  );
}
