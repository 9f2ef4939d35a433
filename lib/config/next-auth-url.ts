import { env } from "./env.ts";

/**
 * next-auth learns its own address from `NEXTAUTH_URL` alone and would believe
 * the Host header without it. Ours is `APP_URL`.
 */
export function pinNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = env().APP_URL;
}
