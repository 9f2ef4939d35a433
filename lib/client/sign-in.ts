import { signIn } from "next-auth/react";

const WORDS: Record<string, string> = {
  CredentialsSignin: "The e-mail address or the password is not right.",
  unavailable: "Sign-in does not work just now: Signalbox can't reach its database. Try again in a minute.",
  AccessDenied: "This account is not a member of a workspace here. Ask an owner or admin for an invitation.",
  SessionRequired: "Sign in to see this page.",
  SsoNotBegun:
    "This answer of single sign-on belongs to no sign-in of this browser: it was used before, or it came more than 15 minutes late. Press the button again.",
  SsoForged:
    "The answer of single sign-on was refused: it does not fit what this browser asked for. Nobody was signed in. Press the button again.",
  SsoExpired: "The answer of single sign-on has expired. Press the button again.",
  SsoDenied: "Single sign-on was cancelled at the provider. Press the button again, or use your password.",
  SsoUnverified: "The provider does not vouch for an e-mail address of yours. Ask whoever runs it to verify the address.",
  SsoDomain: "Addresses of this domain may not sign in here. Use your work account, or ask an owner.",
  SsoOtherIdentity:
    "Another account at the provider signed in here with this e-mail address before. Ask whoever runs Signalbox to look into it.",
  OAuthSignin: "The single sign-on provider does not answer. Try again in a minute, or use your password.",
  OAuthCallback: "Single sign-on did not work: the provider's answer could not be checked. Try again in a minute.",
};

/** A sign-in error's code in words. */
export function signInWords(code: string): string {
  const minutes = /^locked-(\d{1,3})$/.exec(code)?.[1];
  if (minutes === undefined) return WORDS[code] ?? "Sign-in did not work. Try again.";
  const wait = minutes === "1" ? "a minute" : `${minutes} minutes`;
  return `Too many wrong tries. Wait ${wait}, then try again; or use a browser in which you signed in before.`;
}

/** Signs in with e-mail and password; answers null when it worked, else the reason in words. */
export async function signInWithPassword(email: string, password: string): Promise<string | null> {
  try {
    const answer = await signIn("credentials", { email, password, redirect: false });
    if (answer?.ok && !answer.error) return null;
    return signInWords(answer?.error ?? "");
  } catch {
    return "Signalbox does not answer. Check that it runs and that you are online, then try again.";
  }
}

/** Leaves for the single sign-on provider. */
export const signInElsewhere = (returnTo: string) => signIn("oidc", { callbackUrl: returnTo });
