import { env } from "./env.ts";

/** Sets NEXTAUTH_URL to APP_URL: without it next-auth would trust the Host header. */
export function pinNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = env().APP_URL;
}
