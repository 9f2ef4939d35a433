import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import commonPasswords from "fxa-common-password-list";
import { FairTurns, NoTurn } from "#lib/context/fair-turns";
import { AppError } from "#lib/contracts/api/app-error";

/** OWASP's first recommendation for argon2id: 19 MiB, 2 passes, 1 lane. argon2id is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 256;

const COMMON_WORDS = "This password is too common. Choose another, for example a few random words.";

/**
 * Returns what is wrong with a new password, in words; null when nothing is. Length
 * and a list of common passwords decide, no demand for digits or signs (NIST
 * SP 800-63B section 3.1.1.2, ASVS 5.0 section 6.2).
 *
 * @param email the account's address, which is no password
 */
export function passwordProblem(password: string, email: string): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return `Use ${MIN_PASSWORD_LENGTH} characters or more.`;
  if (password.length > MAX_PASSWORD_LENGTH) return `Use ${MAX_PASSWORD_LENGTH} characters or fewer.`;
  const plain = password.toLowerCase();
  if (isCommon(plain)) return COMMON_WORDS;
  const [mailbox = ""] = email.toLowerCase().split("@");
  if (plain === email.toLowerCase() || core(plain) === mailbox) return "Your email address can't be your password. Choose another.";
  return null;
}

/**
 * Common as it stands, or a common one made long: with digits and signs at the
 * ends ("password1234!"), written twice, or of hardly any different characters.
 */
function isCommon(plain: string): boolean {
  if (new Set(plain).size < 5) return true;
  const once = /^(.+?)\1+$/.exec(plain)?.[1] ?? plain;
  return [plain, once, core(plain), core(once)].some((each) => OURS.has(each) || commonPasswords.test(each));
}

/** Without digits and signs at either end. */
const core = (plain: string): string => plain.replace(/^[^a-z]+|[^a-z]+$/g, "");

/** Passwords that people would try here first, beside the list of those that they try anywhere. */
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

/**
 * Hashes of a process, whoever asks: each takes 19 MiB and all of a processor, beside the webhooks that this process
 * receives. One processor is left to them; who can't be heard in time tries again.
 */
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

/** @throws AppError `too_many_requests` */
async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
  try {
    return await hashing.run(ALL, compute);
  } catch (error) {
    throw error instanceof NoTurn ? tooMany() : error;
  }
}

const tooMany = () =>
  new AppError("too_many_requests", "Too many people are signing in right now. Try again in a few seconds.", { retryAfterSeconds: 5 });

/** argon2id, with its salt and cost, in PHC form. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, COST));

let decoy: string | undefined;

/**
 * True when the password belongs to the hash. Without a hash (unknown account)
 * it works just as long and says no, so that the time reveals nothing.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (passwordHash === null) decoy ??= await hashPassword(crypto.randomUUID());
  const matches = await inTurn(() => verify(passwordHash ?? decoy ?? "", password.slice(0, MAX_PASSWORD_LENGTH + 1)));
  return matches && passwordHash !== null;
}
