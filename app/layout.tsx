import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "#components/shell/providers";
import { BUILD } from "#lib/config/product";
import { mono, sans } from "./fonts.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Signalbox", template: "%s · Signalbox" },
  description: "Monitor connections and process webhooks from your document-automation platform.",
  robots: { index: false, follow: false },
  manifest: "/site.webmanifest",
  icons: {
    icon: [
      { url: "/favicon.ico", sizes: "16x16 32x32 48x48" },
      { url: "/icon.svg", type: "image/svg+xml" },
    ],
    apple: "/apple-touch-icon.png",
  },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#101115" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? "";
  return (
    // The server doesn't know the theme: it is written on <html> before the first paint.
    <html lang="en" className={`${sans.variable} ${mono.variable}`} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce} build={BUILD}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
