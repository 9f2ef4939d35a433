import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import commonPasswords from "fxa-common-password-list";
import { FairTurns, NoTurn } from "#lib/context/fair-turns";
import { AppError } from "#lib/contracts/api/app-error";
import { normalForms } from "#lib/contracts/api/plain-text";

/** OWASP's first recommendation for argon2id (the library's default): 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 256;

const COMMON_WORDS = "This password is too common. Choose another, for example a few random words.";

/** Returns what is wrong, or null. Length and common passwords decide, not digits or signs (NIST SP 800-63B 3.1.1.2, ASVS 5.0 6.2). */
export function passwordProblem(typed: string, email: string): string | null {
  const password = composed(typed);
  if (password.length < MIN_PASSWORD_LENGTH) return `Use ${MIN_PASSWORD_LENGTH} characters or more.`;
  if (password.length > MAX_PASSWORD_LENGTH) return `Use ${MAX_PASSWORD_LENGTH} characters or fewer.`;
  const plain = password.toLowerCase();
  if (isCommon(plain)) return COMMON_WORDS;
  const [mailbox = ""] = email.toLowerCase().split("@");
  if (plain === email.toLowerCase() || core(plain) === mailbox) return "Your email address can't be your password. Choose another.";
  return null;
}

/** Keyboards write é as one character, or as a letter and an accent (NIST SP 800-63B 3.1.1.2). */
const composed = (password: string): string => password.normalize("NFC");

/** Returns what a hash may be of: hashes of earlier versions are of the password as it was typed. */
const hashedForms = (password: string): Set<string> => new Set([composed(password), password, ...normalForms(password)]);

/** True also for a common one made long: digits and signs at the ends, written twice, hardly any different characters. */
function isCommon(plain: string): boolean {
  if (new Set(plain).size < 5) return true;
  const once = /^(.+?)\1+$/.exec(plain)?.[1] ?? plain;
  return [plain, once, core(plain), core(once)].some((each) => OURS.has(each) || commonPasswords.test(each));
}

const core = (plain: string): string => plain.replace(/^[^a-z]+|[^a-z]+$/g, "");

/** Passwords that people would try here first. */
const OURS = new Set([
  "signalbox",
  "administrator",
  "changeme",
  "letmein",
  "correcthorsebatterystaple",
  "qwertyuiopasdf",
  "webhook",
  "webhooks",
]);

/** A hash takes 19 MiB and a whole processor: one processor is left to the webhooks of this process. */
const LIMITS = {
  atOnce: Math.max(1, Math.min(4, availableParallelism() - 1)),
  atOncePerKey: 4,
  waitingPerKey: 100,
  waiting: 100,
  waitMs: 10_000,
  rest: { share: 0.5, fromWaiting: 1 },
};
const ALL = "all";
const hashing = new FairTurns(LIMITS);

async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
  try {
    return await hashing.run(ALL, compute);
  } catch (error) {
    throw error instanceof NoTurn ? tooMany() : error;
  }
}

const tooMany = () =>
  new AppError("too_many_requests", "Too many people are signing in right now. Try again in a few seconds.", { retryAfterSeconds: 5 });

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(composed(password), COST));

let decoy: string | undefined;

/** Verifies a decoy for an unknown account, so that timing reveals nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (passwordHash === null) decoy ??= await hashPassword(crypto.randomUUID());
  for (const spelling of hashedForms(password.slice(0, MAX_PASSWORD_LENGTH + 1))) {
    const matches = await inTurn(() => verify(passwordHash ?? decoy ?? "", spelling));
    if (matches) return passwordHash !== null;
  }
  return false;
}
