import { get } from "node:http";

/** Size of a page's own script tags as they come over the line: the JavaScript that comes before anything is pressed. */
export type FirstLoad = { scripts: number; bytes: number };

/**
 * Fetches what the HTML's script tags name, without any cache, compressed as a browser on this machine gets it.
 *
 * @param html as the server sent it
 * @param base the address that it came from
 */
export async function weighFirstLoad(html: string, base: string): Promise<FirstLoad> {
  // Browsers that know modules leave the tags for the others alone.
  const tags = [...html.matchAll(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\bnomodule\b/i.test(tag));
  const addresses = new Set(tags.map((tag) => new URL(/src="([^"]+)"/.exec(tag)?.[1] ?? "", base).href));
  let bytes = 0;
  for (const address of addresses) bytes += await weigh(address);
  return { scripts: addresses.size, bytes };
}

const weigh = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(address, { headers: { "accept-encoding": "gzip, deflate, br, zstd" }, agent: false }, async (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${address} answered ${answer.statusCode}`));
      resolve(Buffer.concat(await answer.toArray()).length);
    }).on("error", reject);
  });
