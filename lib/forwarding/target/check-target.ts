import { isIP } from "node:net";
import { env } from "#lib/config/env";
import { type AllowList, readAllowList } from "#lib/config/forward-allow";
import { type AddressRuling, ruleOnAddress } from "./address-rules.ts";
import { type Resolve, resolveBySystem } from "./system-resolver.ts";
import { readTargetUrl, type TargetUrl } from "./target-url.ts";

/** Why a target may not be called. `refused` is ours to say; `unknown_host` is the name service's. */
export type TargetRefusal = { ok: false; code: "refused" | "unknown_host"; reason: string };

/** A target with the addresses that may be connected to, every one of them checked. */
export type CheckedTarget = { ok: true; target: TargetUrl; addresses: string[] };

/**
 * Decides whether a URL may be called, and at which addresses. Save, Test and
 * every connection of a delivery ask this one function. All addresses of a name
 * must pass: with one public and one private answer nobody knows which is meant.
 *
 * @param resolve who knows the addresses of a name
 */
export async function checkTarget(text: string, resolve: Resolve = resolveBySystem): Promise<CheckedTarget | TargetRefusal> {
  const read = readTargetUrl(text);
  if (!read.ok) return refused(read.reason);
  const { target } = read;
  const addresses = await addressesOf(target.host, resolve);
  if (addresses.length === 0)
    return {
      ok: false,
      code: "unknown_host",
      reason: `The host name ${target.host} was not found. Check its spelling and its DNS record.`,
    };
  const rulings = addresses.map((address) => ruleOn(address, target));
  const at = rulings.findIndex((ruling) => ruling === "never" || ruling === "private");
  if (at >= 0) return refused(refusalOf(target.host, addresses[at] ?? "", rulings[at] === "never"));
  if (!target.secure && rulings.some((ruling) => ruling !== "allowed"))
    return refused("Use https://. Plain http:// is only accepted for private targets listed in FORWARD_ALLOW.");
  return { ok: true, target, addresses };
}

/** True if the address that a socket is connected to is one that may be. The last look, after the connection is there. */
export function mayTalkTo(remoteAddress: string | undefined, target: TargetUrl): boolean {
  const ruling = ruleOn(remoteAddress ?? "", target);
  return ruling === "allowed" || (ruling === "public" && target.secure);
}

const RECEIVING_APP = /^\/sandbox\/receiving-app\/rcv_[0-9a-z]+$/;

/**
 * True if a target is the sandbox's receiving app: the URL that this
 * installation has by its own setting, and of it one path alone. It may be
 * called at a private address while the sandbox is on, and without the proxy,
 * to which `localhost` would be another machine.
 */
export function isReceivingApp({ origin, path }: TargetUrl): boolean {
  const { sandboxOn, APP_URL } = env();
  return sandboxOn && origin === APP_URL && RECEIVING_APP.test(path);
}

function ruleOn(address: string, target: TargetUrl): AddressRuling {
  const { ranges, hosts } = allowListOf();
  return ruleOnAddress(address, ranges, hosts.includes(target.host.toLowerCase()) || isReceivingApp(target));
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return await resolve(host);
  } catch {
    return [];
  }
}

let parsed: { text: string; list: AllowList } | undefined;

function allowListOf(): AllowList {
  const text = env().FORWARD_ALLOW ?? "";
  if (parsed?.text !== text) parsed = { text, list: readAllowList(text) ?? { ranges: [], hosts: [] } };
  return parsed.list;
}

function refusalOf(host: string, address: string, never: boolean): string {
  const where = host === address ? address : `${host} (${address})`;
  if (never)
    return `${where} is a link-local, multicast or cloud metadata address. Signalbox never sends there, even if FORWARD_ALLOW lists it.`;
  return `${where} is not a public address. To allow it, add it to FORWARD_ALLOW in the environment of web and worker.`;
}

const refused = (reason: string): TargetRefusal => ({ ok: false, code: "refused", reason });
