import { signIn } from "next-auth/react";
import { apiSend } from "#lib/client/fetcher";
import type { SetupBody } from "#lib/contracts/auth/setup";

const WORDS: Record<string, string> = {
  CredentialsSignin: "Incorrect email address or password.",
  unavailable: "Sign-in is unavailable: Signalbox can't reach its database. Try again in a minute.",
  internal: "Sign-in failed: an error in Signalbox. Try again; the log of the web process has the cause.",
  unreachable: "Signalbox isn't responding. Check that it is running and that you are online, then try again.",
  AccessDenied: "This account is not a member of any workspace. Ask an owner or admin for an invite.",
  SessionRequired: "Sign in to see this page.",
  SsoNotBegun:
    "This single sign-on response doesn't belong to a sign-in in this browser: it was already used, or it arrived more than 15 minutes late. Try again.",
  SsoForged: "The single sign-on response was rejected: it doesn't match this browser's request. You were not signed in. Try again.",
  SsoAlgorithm: "The provider doesn't sign its ID tokens with RS256. Ask its administrator to choose RS256.",
  SsoExpired: "The single sign-on response has expired. Try again.",
  SsoDenied: "Single sign-on was cancelled at the provider. Try again, or use your password.",
  SsoClaims: "The provider sent no user ID or email address that can be used. Ask its administrator to send both.",
  SsoUnverified:
    "The provider doesn't say that your email address is verified. Ask its administrator to verify it, or an owner to check OIDC_VERIFIED_DOMAINS.",
  SsoDomain: "Email addresses of this domain can't sign in. Use your work account, or ask an owner.",
  SsoOtherIdentity:
    "Another account at the provider signed in here with this email address before. Ask your Signalbox administrator to check.",
  OAuthSignin: "The single sign-on provider does not respond. Try again in a minute, or use your password.",
  OAuthCallback: "Single sign-on failed: the provider's response could not be verified. Try again in a minute.",
};

export function signInWords(code: string): string {
  const minutes = /^locked-(\d{1,3})$/.exec(code)?.[1];
  if (minutes === undefined) return WORDS[code] ?? "Sign-in failed. Try again.";
  const wait = minutes === "1" ? "a minute" : `${minutes} minutes`;
  return `Too many failed attempts. Wait ${wait}, then try again, or use a browser you have signed in with before.`;
}

export async function signInWithPassword(email: string, password: string): Promise<string | null> {
  try {
    // next-auth returns this URL with its errors in the query. Without it, it returns the page's own, with the error of an earlier try.
    const answer = await signIn("credentials", { email, password, redirect: false, callbackUrl: "/" });
    if (answer?.ok && !answer.error) return null;
    return signInWords(answer?.error ?? "");
  } catch {
    return signInWords("unreachable");
  }
}

/** Leaves for the single sign-on provider. `asks` are parameters of the request: `prompt: "login"` makes it ask again. */
export const signInElsewhere = (returnTo: string, asks?: { prompt: "login" }) => signIn("oidc", { callbackUrl: returnTo }, asks);

/** Creates the first owner. @throws ApiProblem with the rejected field, or the reason why the link is invalid */
export const createOwner = (body: SetupBody): Promise<null> => apiSend(null, "POST", "/api/setup", body);
