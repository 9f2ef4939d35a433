import { isIP } from "node:net";
import { env } from "#lib/config/env";
import { type AllowList, readAllowList } from "#lib/config/forward-allow";
import { type AddressRuling, ruleOnAddress } from "./address-rules.ts";
import { type Resolve, resolveBySystem } from "./system-resolver.ts";
import { readTargetUrl, type TargetUrl } from "./target-url.ts";

/** `refused` is our decision; `unknown_host` is DNS's. */
export type TargetRefusal = { ok: false; code: "refused" | "unknown_host"; reason: string };

export type CheckedTarget = { ok: true; target: TargetUrl; addresses: string[] };

/** Checks a URL before saving, testing and every connection. All addresses of a name must pass: it could be any of them. */
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

/** Checks the address that a socket is connected to, the last check before anything is sent. */
export function mayTalkTo(remoteAddress: string | undefined, target: TargetUrl): boolean {
  const ruling = ruleOn(remoteAddress ?? "", target);
  return ruling === "allowed" || (ruling === "public" && target.secure);
}

const RECEIVING_APP = /^\/sandbox\/receiving-app\/rcv_[0-9a-z]+$/;

/** True for the sandbox's receiving app, allowed at a private address and without the proxy, to which `localhost` is another machine. */
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
