import { prisma } from "#lib/db/prisma";
import { seal } from "#lib/vault/vault";

/** Makes second factors of the owner and of the colleague, and a browser that is remembered. */
export async function makeFactors(name: string, canary: string): Promise<void> {
  const times = { rememberedUntil: new Date(Date.now() + 86_400_000), userAgent: canary };
  await prisma().knownDevice.create({ data: { idHash: `device_${name}-of the tests`, userId: `usr_${name}`, ...times } });
  const owner = `usr_${name}`;
  const { sealed, keyId } = await seal("JBSWY3DPEHPK3PXP", { workspaceId: owner, table: "totp_factors", row: owner, field: "sealed" });
  await prisma().totpFactor.create({ data: { userId: owner, sealed, keyId, lastStep: 1, confirmedAt: new Date() } });
  for (const [id, userId] of [
    [`pky_${name}`, owner],
    [`pky_colleague_${name}`, `usr_${name}_colleague`],
  ] as const)
    await prisma().passkey.create({
      data: { id, userId, name: canary, credentialId: id, publicKey: Buffer.from("key"), counter: 0, transports: [] },
    });
}
