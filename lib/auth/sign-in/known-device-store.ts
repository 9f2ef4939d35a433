import { prisma } from "#lib/db/prisma";

const YEAR_MS = 365 * 86_400_000;
/** How long a browser is known after the last sign-in there. Seconds. */
export const DEVICE_SECONDS = YEAR_MS / 1000;

/** Notes that the person signed in with that browser. */
export async function touchDevice(idHash: string, userId: string, now: Date): Promise<void> {
  await prisma().knownDevice.upsert({
    where: { idHash_userId: { idHash, userId } },
    create: { idHash, userId, createdAt: now, lastUsedAt: now },
    update: { lastUsedAt: now },
  });
}

/** Removes browsers that are not known any more. @returns how many */
export async function deleteOldDevices(now: Date): Promise<number> {
  return (await prisma().knownDevice.deleteMany({ where: { lastUsedAt: { lt: new Date(now.getTime() - YEAR_MS) } } })).count;
}
