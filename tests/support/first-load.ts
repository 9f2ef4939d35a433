import { gzipSync } from "node:zlib";

/** Compressed size of a page's own script tags: the JavaScript that comes before anything is pressed. */
export type FirstLoad = { scripts: number; bytes: number };

/**
 * Fetches what the HTML's script tags name, without any cache.
 *
 * @param html as the server sent it
 * @param base the address that it came from
 */
export async function weighFirstLoad(html: string, base: string): Promise<FirstLoad> {
  // Browsers that know modules leave the tags for the others alone.
  const tags = [...html.matchAll(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\bnomodule\b/i.test(tag));
  const addresses = new Set(tags.map((tag) => new URL(/src="([^"]+)"/.exec(tag)?.[1] ?? "", base).href));
  let bytes = 0;
  for (const address of addresses) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    bytes += gzipSync(Buffer.from(await answer.arrayBuffer())).length;
  }
  return { scripts: addresses.size, bytes };
}
