import { hash, verify } from "@node-rs/argon2";

/** OWASP's first recommendation for argon2id: 19 MiB, 2 passes, 1 lane. argon2id is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 256;

/** Long enough to be accepted, and among the first that anyone tries. */
const COMMON = new Set([
  "123456789012",
  "1234567890123",
  "12345678901234",
  "123456123456",
  "password1234",
  "password12345",
  "password123456",
  "passwordpassword",
  "qwertyuiop12",
  "qwertyuiop123",
  "qwertyuiopasdf",
  "letmeinletmein",
  "iloveyou1234",
  "adminadminadmin",
  "administrator",
  "administrator1",
  "changemechangeme",
  "changeme1234",
  "welcome12345",
  "correcthorsebatterystaple",
  "signalboxsignalbox",
  "signalbox1234",
]);

/**
 * What is wrong with a new password, in words; null when nothing is.
 *
 * @param email the account's address, which is no password
 */
export function passwordProblem(password: string, email: string): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return `Use ${MIN_PASSWORD_LENGTH} characters or more.`;
  if (password.length > MAX_PASSWORD_LENGTH) return `Use ${MAX_PASSWORD_LENGTH} characters or fewer.`;
  const plain = password.toLowerCase();
  if (COMMON.has(plain) || new Set(plain).size < 4) return "This password is among the first that anyone tries. Choose another.";
  if (plain === email.toLowerCase()) return "The e-mail address is no password. Choose another.";
  return null;
}

/** argon2id, with its salt and cost, in PHC form. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST);

let decoy: Promise<string> | undefined;

/**
 * True when the password belongs to the hash. Without a hash (unknown account)
 * it works just as long and says no, so that the time tells nothing.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID());
  const matches = await verify(passwordHash ?? (await decoy), password.slice(0, MAX_PASSWORD_LENGTH + 1));
  return matches && passwordHash !== null;
}
