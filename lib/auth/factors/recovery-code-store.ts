import { randomInt } from "node:crypto";
import type pg from "pg";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { hashToken } from "#lib/vault/opaque-token";

const CODES = 10;
/** 32 characters (5 bits each), without look-alikes. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

const newCode = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")).join("-");

/** Hashes a code, however it is spaced; 100 random bits need no salt. */
const hashOf = (userId: string, code: string): string => hashToken(`${userId} ${code.toLowerCase().replaceAll(/[\s-]/g, "")}`);

/** Returns the new codes, which are stored only as hashes. */
export async function replaceRecoveryCodes(client: pg.PoolClient, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await deleteRecoveryCodes(client, userId);
  await prisma(client).recoveryCode.createMany({ data: codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })) });
  return codes;
}

/** Uses up a code. @returns how many are left; null for a wrong or used one */
export async function claimRecoveryCode(client: pg.PoolClient, userId: string, code: string, now: Date): Promise<number | null> {
  const { count } = await prisma(client).recoveryCode.updateMany({
    where: { userId, codeHash: hashOf(userId, code), usedAt: null },
    data: { usedAt: now },
  });
  return count === 1 ? countRecoveryCodes(userId, client) : null;
}

export async function countRecoveryCodes(userId: string, client: pg.PoolClient | pg.Pool = pool()): Promise<number> {
  return prisma(client).recoveryCode.count({ where: { userId, usedAt: null } });
}

export async function deleteRecoveryCodes(client: pg.PoolClient, userId: string): Promise<void> {
  await prisma(client).recoveryCode.deleteMany({ where: { userId } });
}
